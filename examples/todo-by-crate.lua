-- Counts TODO and unwrap() in the sources of a Rust workspace, by crate, and names the file that has most of each crate's.
--
--   codemode run examples/todo-by-crate.lua --root path/to/workspace
--
-- Two calls find the crates and one call a crate searches it; only the table comes back.

local function lines(text)
  return text:gmatch("[^\n]+")
end

-- The crates: manifests that have a package, with their folders.
local manifests = {}
for path in lines(assert(tool.find_files{globs = {"Cargo.toml"}})) do
  if path:match("Cargo%.toml$") then
    manifests[#manifests + 1] = path
  end
end
if #manifests == 0 then
  return "no Cargo.toml beneath " .. cwd
end

local crates = {}
for _, file in ipairs(host.json_decode(assert(tool.read_files{paths = manifests})).files) do
  local name = file.success and file.text:match('%[package%].-\n%s*name%s*=%s*"([^"]+)"')
  if name then
    local folder = file.path:match("^(.*)/Cargo%.toml$") or "."
    crates[#crates + 1] = {name = name, folder = folder, files = 0, todo = 0, unwrap = 0, most = 0, worst = ""}
  end
end

-- Inner crates first, so that a line belongs to the innermost crate that has its file.
table.sort(crates, function(a, b)
  if #a.folder ~= #b.folder then
    return #a.folder > #b.folder
  end
  return a.folder < b.folder
end)

local owner, incomplete = {}, false
for _, crate in ipairs(crates) do
  local found = assert(tool.search_files{
    pattern = [[\bTODO\b|\.unwrap\(\)]],
    path = crate.folder,
    globs = {"*.rs"},
    max_matches = 10000,
  })
  local counts = {}
  for line in lines(found) do
    local path, text = line:match("^(.-%.rs):%d+:(.*)$")
    if not path then
      incomplete = incomplete or line:match("^%[incomplete") ~= nil
    elseif (owner[path] or crate) == crate then
      owner[path] = crate
      local _, todo = text:gsub("%f[%w_]TODO%f[^%w_]", "")
      local _, unwrap = text:gsub("%.unwrap%(%)", "")
      crate.todo, crate.unwrap = crate.todo + todo, crate.unwrap + unwrap
      counts[path] = (counts[path] or 0) + todo + unwrap
    end
  end
  for path, count in pairs(counts) do
    crate.files = crate.files + 1
    if count > crate.most or (count == crate.most and path < crate.worst) then
      crate.most, crate.worst = count, path
    end
  end
end

table.sort(crates, function(a, b)
  local left, right = a.todo + a.unwrap, b.todo + b.unwrap
  if left ~= right then
    return left > right
  end
  return a.name < b.name
end)

-- The table; crates that have none are one line.
local row = "%-24s %5s %5s %7s  %s"
local clean = 0
print(row:format("crate", "files", "TODO", "unwrap", "most in"))
for _, crate in ipairs(crates) do
  if crate.files > 0 then
    print(row:format(crate.name, crate.files, crate.todo, crate.unwrap, ("%s (%d)"):format(crate.worst, crate.most)))
  else
    clean = clean + 1
  end
end
print(("%d of %d crates have none"):format(clean, #crates))
if incomplete then
  print("some searches were cut; counts are at least what is shown")
end
