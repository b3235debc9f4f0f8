// Counts TODO and unwrap() in the sources of a Rust workspace, by crate, and names the file that has most of each crate's.
//
//   codemode run examples/todo-by-crate.ts --root path/to/workspace
//
// Two calls find the crates, one call a crate searches it, all at once; only the table comes back.

type Crate = { name: string; folder: string; files: number; todo: number; unwrap: number; worst: string; most: number }

const { files: manifests } = await tools.find_files({ globs: ["Cargo.toml"] })
if (manifests.length === 0) return "no Cargo.toml in this folder"

// The crates: manifests that have a package, with their folders; inner ones first, so that a line belongs to the innermost.
const crates: Crate[] = []
for (const file of (await tools.read_files({ paths: manifests })).files) {
  const name = file.success && file.text.match(/\[package\][^]*?^\s*name\s*=\s*"([^"]+)"/m)?.[1]
  const folder = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : "."
  if (name) crates.push({ name, folder, files: 0, todo: 0, unwrap: 0, worst: "", most: 0 })
}
crates.sort((a, b) => b.folder.length - a.folder.length || (a.folder < b.folder ? -1 : 1))

const searches = await Promise.all(
  crates.map(({ folder }) =>
    tools.search_files({ pattern: String.raw`\bTODO\b|\.unwrap\(\)`, path: folder, globs: ["*.rs"], max_matches: 10000 })
  )
)

const owners = new Map<string, Crate>()
crates.forEach((crate, at) => {
  const counts = new Map<string, number>()
  for (const { path, text } of searches[at].matches as { path: string; text: string }[]) {
    if ((owners.get(path) ?? crate) !== crate) continue
    owners.set(path, crate)
    const todo = text.match(/\bTODO\b/g)?.length ?? 0
    const unwrap = text.match(/\.unwrap\(\)/g)?.length ?? 0
    crate.todo += todo
    crate.unwrap += unwrap
    counts.set(path, (counts.get(path) ?? 0) + todo + unwrap)
  }
  crate.files = counts.size
  for (const [path, count] of counts) {
    if (count > crate.most || (count === crate.most && path < crate.worst)) [crate.most, crate.worst] = [count, path]
  }
})

const found = crates
  .filter(crate => crate.files > 0)
  .sort((a, b) => b.todo + b.unwrap - a.todo - a.unwrap || (a.name < b.name ? -1 : 1))
const row = (...cells: (string | number)[]) =>
  [24, -5, -5, -7].map((width, at) => (width > 0 ? String(cells[at]).padEnd(width) : String(cells[at]).padStart(-width))).join(" ")

console.log(row("crate", "files", "TODO", "unwrap") + "  most in")
for (const crate of found) console.log(`${row(crate.name, crate.files, crate.todo, crate.unwrap)}  ${crate.worst} (${crate.most})`)
console.log(`${crates.length - found.length} of ${crates.length} crates have none`)
if (searches.some(search => !search.complete)) console.log("some searches were cut; counts are at least what is shown")
return { crates: crates.length, todo: found.reduce((sum, crate) => sum + crate.todo, 0) }
