-- What a program sees in a run that is the same each time. Loaded with LuaJIT's own functions, before any program runs.
local next, rawget, type, error, select, unpack, setmetatable, sort, byte, tostring, format, collectgarbage, rank, shows_itself, letters = ...

-- The fixed order of keys: numbers ascending, strings by their bytes, false, true, then the rest as it was made.
local classes = {number = 1, string = 2, boolean = 3}

local function precedes(a, b)
  local kind = type(a)
  local left, right = classes[kind] or 4, classes[type(b)] or 4
  if left ~= right then return left < right end
  if left < 3 then return a < b end
  if left == 3 then return b and not a end
  return rank(a) < rank(b)
end

local function keys_of(t)
  local numbers, n, ascending, last = {}, 0, true, -1 / 0
  local strings, s, others, o, no, yes = {}, 0, {}, 0, false, false
  for k in next, t do
    local kind = type(k)
    if kind == "number" then
      n = n + 1
      numbers[n] = k
      ascending, last = ascending and last < k, k
    elseif kind == "string" then
      s = s + 1
      strings[s] = k
    elseif kind ~= "boolean" then
      o = o + 1
      others[o] = k
    elseif k then
      yes = true
    else
      no = true
    end
  end
  local keys = numbers
  if not ascending then sort(keys) end
  if s > 1 then sort(strings) end
  if o > 1 then sort(others, precedes) end
  for i = 1, s do keys[n + i] = strings[i] end
  n = n + s
  if no then n = n + 1 keys[n] = false end
  if yes then n = n + 1 keys[n] = true end
  for i = 1, o do keys[n + i] = others[i] end
  return keys, n + o
end

local function check_table(t, name)
  if type(t) ~= "table" then error("bad argument #1 to '" .. name .. "' (table expected, got " .. type(t) .. ")", 3) end
end

-- The keys are those at the beginning; what is cleared meanwhile is left out, and what is changed is given as it is then.
local function pairs(t)
  check_table(t, "pairs")
  local keys, n = keys_of(t)
  local i = 0
  return function(t)
    while i < n do
      i = i + 1
      local k = keys[i]
      local v = rawget(t, k)
      if v ~= nil then return k, v end
    end
  end, t, nil
end

-- The traversal that goes on; the table is held weakly.
local current, keys, n, at = setmetatable({}, {__mode = "v"}), nil, 0, 0

local function ordered_next(t, k)
  check_table(t, "next")
  if k == nil then
    current.table, keys, at = nil, nil, 0
    local least
    for candidate in next, t do
      if least == nil or precedes(candidate, least) then least = candidate end
    end
    if least == nil then return nil end
    return least, rawget(t, least)
  end
  if current.table ~= t or keys[at] ~= k then
    keys, n = keys_of(t)
    current.table = t
    local low, high = 1, n + 1
    while low < high do
      local middle = (low + high - (low + high) % 2) / 2
      if precedes(k, keys[middle]) then high = middle else low = middle + 1 end
    end
    at = low - 1
  end
  while at < n do
    at = at + 1
    local v = rawget(t, keys[at])
    if v ~= nil then return keys[at], v end
  end
  current.table, keys, at = nil, nil, 0
  return nil
end

local function foreach(t, f)
  check_table(t, "foreach")
  for k, v in pairs(t) do
    local result = f(k, v)
    if result ~= nil then return result end
  end
end

-- Numbers in place of addresses, in the order in which they are first shown.
local named = {table = true, ["function"] = true, thread = true, userdata = true}
local numbers, counts = setmetatable({}, {__mode = "k"}), {}

local function name(v)
  local kind, number = type(v), numbers[v]
  if not number then
    number = (counts[kind] or 0) + 1
    counts[kind], numbers[v] = number, number
  end
  return kind .. ": " .. number
end

local function show(...)
  if select("#", ...) == 0 then error("bad argument #1 to 'tostring' (value expected)", 2) end
  local v = ...
  if named[type(v)] and not shows_itself(v) then return name(v) end
  return tostring(v)
end

local function shown_format(pattern, ...)
  local conversions = letters(pattern)
  if conversions == nil then error("bad argument #1 to 'format' (%p shows addresses, and a deterministic run has none)", 2) end
  local count, shown = select("#", ...), nil
  for i = 1, count do
    local v = (select(i, ...))
    if named[type(v)] and byte(conversions, i) == 115 and not shows_itself(v) then
      shown = shown or {...}
      shown[i] = name(v)
    end
  end
  if shown then return format(pattern, unpack(shown, 1, count)) end
  return format(pattern, ...)
end

-- How much is held differs from run to run.
local function collect(what, ...)
  if what == "count" then return 0 end
  local result = collectgarbage(what, ...)
  if what == "step" then return true end
  return result
end

return pairs, ordered_next, foreach, show, shown_format, collect
