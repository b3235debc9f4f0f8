// Names the largest files of each kind beneath a folder, by their lines.
//
//   codemode run examples/largest-files.ts
//
// Every file of these kinds is read; three lines a kind come back.

const largest: Record<string, string[]> = {}

for (const kind of ["rs", "ts", "lua", "toml", "md"]) {
  const found = await tools.find_files({ globs: [`*.${kind}`] })
  const sizes: { path: string; lines: number }[] = []
  let rest: string[] = found.files
  while (rest.length > 0) {
    const { files } = await tools.read_files({ paths: rest.slice(0, 1000) })
    // What there was no room for in one answer is asked for again.
    const given = files.filter((file: any) => !file.omitted)
    for (const file of given) if (file.success) sizes.push({ path: file.path, lines: file.text.split("\n").length - 1 })
    rest = given.length > 0 ? rest.slice(given.length) : []
  }
  sizes.sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1))
  if (sizes.length > 0) largest[kind] = sizes.slice(0, 3).map(({ path, lines }) => `${path}: ${lines}`)
  if (!found.complete) console.warn(`not every *.${kind} was listed`)
}

largest
