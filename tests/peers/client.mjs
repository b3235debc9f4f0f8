// The official TypeScript client, in both of its generations: it plays a list of steps and prints what came of each, as one line of JSON.
//
//   node client.mjs '{"peers": FOLDER, "generation": "v1" | "v2" | "v2-auto", "server": {"command", "args"} | {"url", "token"?}, "steps": [STEP…]}'
//
// A step is {"do": "list"}, {"do": "call", "name", "arguments", "cancel_at"?: the number of the progress at which the call is given up},
// {"do": "resources"}, {"do": "read", "uri" | "listed": a number in the last list of resources}, or {"do": "together", "steps"}.
// client.py plays the same steps and prints the same JSON.
import { createRequire } from "node:module"
import { join } from "node:path"
import process from "node:process"

const request = JSON.parse(process.argv[2])
// The packages are in cargo's target folder, and this file is not.
const load = createRequire(join(request.peers, "package.json"))
const info = { name: "codemode-tests", version: "1.0.0" }
// Generous, since a loaded machine is slow and a test that hangs is ended from outside.
const limits = { timeout: 240_000, resetTimeoutOnProgress: true }

const client = makeClient(request.generation)
const notified = []
let resources = []
let handshake = null

const transport = makeTransport(request.generation, request.server)
try {
  await client.connect(transport)
  const results = []
  for (const step of request.steps) results.push(await play(step))
  const protocol = client.getNegotiatedProtocolVersion?.() ?? handshake
  const { name, version } = client.getServerVersion()
  print({ protocol, server: { name, version }, results, notified })
} catch (error) {
  print({ broken: `${error?.stack ?? error}` })
} finally {
  await client.close()
}

function makeClient(generation) {
  if (generation === "v1") return new (load("@modelcontextprotocol/sdk/client/index.js").Client)(info)
  const { Client } = load("@modelcontextprotocol/client")
  return new Client(info, generation === "v2-auto" ? { versionNegotiation: { mode: "auto" } } : {})
}

function makeTransport(generation, { url, token, command, args }) {
  const [http, stdio] =
    generation === "v1"
      ? [load("@modelcontextprotocol/sdk/client/streamableHttp.js"), load("@modelcontextprotocol/sdk/client/stdio.js")]
      : [load("@modelcontextprotocol/client"), load("@modelcontextprotocol/client/stdio")]
  if (!url) return watched(new stdio.StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }))
  const headers = token ? { Authorization: `Bearer ${token}` } : {}
  return watched(new http.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
}

// What the server said of its own accord, by method, whoever handles it.
function watched(transport) {
  const start = transport.start.bind(transport)
  transport.start = async () => {
    const deliver = transport.onmessage
    transport.onmessage = (message, extra) => {
      if (message.method && message.id === undefined && message.method !== "notifications/progress") notified.push(message.method)
      deliver?.(message, extra)
    }
    await start()
  }
  // The first generation tells its transport which version was agreed on, and nobody else.
  const agreed = transport.setProtocolVersion?.bind(transport)
  transport.setProtocolVersion = (version) => {
    handshake = version
    agreed?.(version)
  }
  return transport
}

async function play(step) {
  try {
    switch (step.do) {
      case "list":
        return { tools: (await client.listTools()).tools }
      case "call":
        return await call(step)
      case "resources":
        resources = (await client.listResources()).resources
        return { resources }
      case "read":
        return { contents: (await client.readResource({ uri: step.uri ?? resources[step.listed].uri })).contents }
      case "together":
        return { together: await Promise.all(step.steps.map(play)) }
      default:
        throw new Error(`there is no step ${step.do}`)
    }
  } catch (error) {
    return { error: { code: error.code ?? null, message: error.message } }
  }
}

async function call({ name, arguments: input, cancel_at }) {
  const progress = []
  const giving_up = new AbortController()
  const onprogress = (update) => {
    progress.push(update)
    if (progress.length === cancel_at) giving_up.abort("the test gives up")
  }
  const options = { ...limits, signal: giving_up.signal, onprogress }
  try {
    const params = { name, arguments: input }
    const result = await (request.generation === "v1" ? client.callTool(params, undefined, options) : client.callTool(params, options))
    return { result, progress }
  } catch (error) {
    if (giving_up.signal.aborted) return { given_up: true, progress }
    throw error
  }
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
