import { asObject } from '../../protocol/json.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HistoryEdit } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { replaceFile } from '../kit/replace-file.ts'

/** The folder of the plugin and its files. */
export const folderIn = (dataFolder: string): string => join(dataFolder, 'histories', 'opencode')

/**
 * The plugin that OpenCode runs over the messages of each request: it reads the file of the session beside it, and
 * changes the results that are named there. OpenCode's own history stays unchanged. A failure must never stop a
 * request.
 */
const pluginText = `import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))

const nothing = { edits: {}, thoughts: [] }

function toldOf(session) {
  if (!/^[A-Za-z0-9_-]+$/.test(session)) return nothing
  try {
    return JSON.parse(readFileSync(join(folder, session + '.json'), 'utf8'))
  } catch {
    return nothing
  }
}

// Before each request Dragoman is asked to bring the file up to date. When it is not there, the file holds as it is.
function ask(session, calls) {
  return new Promise(done => {
    try {
      const { port, secret } = JSON.parse(readFileSync(join(folder, 'desk.json'), 'utf8'))
      const headers = { authorization: 'Bearer ' + secret, 'content-type': 'application/json' }
      const options = { host: '127.0.0.1', port, method: 'POST', path: '/', headers, timeout: 5000 }
      const asked = request(options, response => response.resume().on('end', done).on('error', done))
      asked.on('error', done).on('timeout', () => asked.destroy())
      asked.end(JSON.stringify({ session, calls }))
    } catch {
      done()
    }
  })
}

function resultsIn(messages) {
  const tools = messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool')
  return tools.filter(({ state }) => ['completed', 'error'].includes(state.status)).map(({ callID }) => callID)
}

function edited(text, { how, text: instead, keepFirst, keepLast }) {
  if (how === 'append') return text + '\\n' + instead
  if (how === 'rewrite') return instead
  const lines = text.trimEnd().split('\\n')
  const last = keepLast === 0 ? [] : lines.slice(keepFirst).slice(-keepLast)
  return [...lines.slice(0, keepFirst), instead, ...last].join('\\n')
}

function changed(part, edits) {
  if (part.type !== 'tool' || !Object.hasOwn(edits, part.callID)) return part
  const { state } = part
  const edit = edits[part.callID]
  if (state.status === 'completed') {
    const { attachments, ...rest } = state
    return { ...part, state: { ...(edit.how === 'replace' ? rest : state), output: edited(state.output, edit) } }
  }
  return state.status === 'error' ? { ...part, state: { ...state, error: edited(state.error, edit) } } : part
}

export const Dragoman = async () => ({
  'experimental.chat.messages.transform': async (_, { messages }) => {
    const told = new Map()
    // The thinking of an answer that is being made must stay with it.
    const running = messages.findLastIndex(({ info }) => info.role === 'user')
    await ask(messages[running]?.info.sessionID ?? '', resultsIn(messages.slice(running + 1)))
    for (const [at, message] of messages.entries()) {
      const session = message.info.sessionID ?? ''
      if (!told.has(session)) told.set(session, toldOf(session))
      const { edits, thoughts } = told.get(session)
      const counts = part => at > running || part.type !== 'reasoning' || !thoughts.includes(part.text)
      messages[at] = { ...message, parts: message.parts.filter(counts).map(part => changed(part, edits)) }
    }
  },
})
`

/** Puts the plugin where OpenCode finds it; returns its address. */
async function placePlugin(dataFolder: string): Promise<string> {
  const file = join(folderIn(dataFolder), 'plugin.js')
  await replaceFile(file, pluginText)
  return pathToFileURL(file).href
}

/** A configuration, as text, with the plugin added to it; unchanged when it is not valid JSON. */
export async function withPlugin(config: string | null, dataFolder: string): Promise<string | null> {
  const settings = config === null ? {} : parseJson(config)
  if (settings === undefined) return config
  const { plugin, ...rest } = asObject(settings)
  const own = Array.isArray(plugin) ? plugin : []
  return JSON.stringify({ ...rest, plugin: [...own, await placePlugin(dataFolder)] })
}

/** Writes what the plugin must change in a session. */
export async function writeEdits(
  dataFolder: string,
  session: string,
  edits: readonly HistoryEdit[],
  thoughts: readonly string[],
): Promise<void> {
  const file = join(folderIn(dataFolder), `${session}.json`)
  if (edits.length + thoughts.length === 0) return rm(file, { force: true })
  const byCall = Object.fromEntries(edits.map(({ call, ...edit }) => [call, edit]))
  const content = JSON.stringify({ edits: byCall, thoughts })
  await replaceFile(file, content)
}
