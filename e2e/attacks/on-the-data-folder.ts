import { linkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startFakeOpenAiChat, type FakeOpenAiChat } from '../../src/testing/index.ts'
import type { Answer } from './send.ts'
import type { SocketAttack } from './on-sockets.ts'

/** The target: a server whose data folder is in a folder in which sessions may work. */
export interface DataTarget {
  readonly data: string
  readonly root: string
  readonly token: string
  readonly api: (method: string, path: string, body?: object) => Promise<Answer>
}

/** A model that calls whatever tool the prompt names; its session may write and edit without asking. */
export async function startThief(): Promise<FakeOpenAiChat & { readonly agents: object }> {
  const model = await startFakeOpenAiChat(({ body }) => {
    const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[]
    const last = messages.at(-1)
    if (last?.role !== 'user') return { pieces: ['Done.'] }
    const text = JSON.stringify(last.content)
    const [, encoded = ''] = /call:([\w-]+)/.exec(text) ?? []
    const { name, input } = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as {
      readonly name: string
      readonly input: never
    }
    return { pieces: [{ call: `call-${messages.length}`, name, input }] }
  })
  const settings = { provider: 'openai-compatible', baseUrl: model.url, model: 'm', allow: ['write', 'edit'] }
  const asker = { kind: 'model', ...settings, allow: [] }
  return Object.assign(model, { agents: { thief: { kind: 'model', ...settings }, asker } })
}

/** Tries to get at the data folder: as the folder of a session, as a script, and by every tool of a model. */
export function attacksOnDataFolder(target: DataTarget): readonly SocketAttack[] {
  const { data, root } = target
  symlinkSync(data, join(root, 'to-data'))
  symlinkSync(join(data, 'token'), join(root, 'to-token'))
  symlinkSync(join(root, '.local'), join(root, 'above'))
  symlinkSync('/proc/self/root', join(root, 'to-root'))
  linkSync(join(data, 'token'), join(root, 'second-name'))
  linkSync(join(data, 'journal.db'), join(root, 'second-journal'))
  return [...asFolder(target), ...asScript(target), ...byTools(target)]
}

function asFolder({ data, root, api }: DataTarget): readonly SocketAttack[] {
  const folders = [
    data,
    `${data}/`,
    join(data, 'backups', '..'),
    `${root}/./.local/../.local/share/dragoman`,
    join(root, 'to-data'),
    join(root, 'above', 'share', 'dragoman'),
    join(root, 'above'),
    `/proc/self/root${data}`,
    `${root}/to-root${data}`,
  ]
  const listings = folders.map(path => ({
    name: `a list of the folders in the data folder, as ${path}`,
    run: async () => {
      const { status } = await api('GET', `/api/folders?path=${encodeURIComponent(path)}`)
      return status === 400 || status === 403 ? null : `got ${status}`
    },
  }))
  const sessions = folders.map(cwd => ({
    name: `a session in the data folder, as ${cwd}`,
    run: async () => {
      const { status } = await api('POST', '/api/sessions', { agent: 'scripted', cwd })
      return status === 400 || status === 403 ? null : `got ${status}`
    },
  }))
  return [...listings, ...sessions]
}

function asScript({ data, root, token, api }: DataTarget): readonly SocketAttack[] {
  const scripts = [
    join(data, 'owner.json'),
    join(data, 'token'),
    join(root, 'to-token'),
    join(root, 'second-name'),
  ]
  return scripts.map(script => ({
    name: `a script in the data folder, as ${script}`,
    run: async () => {
      const { status, body } = await api('POST', '/api/sessions', {
        agent: 'scripted',
        cwd: root,
        options: { script },
      })
      if (status !== 400) return `got ${status}`
      return !body.includes(token) && body.includes('data folder') ? null : `says ${body.slice(0, 200)}`
    },
  }))
}

function byTools(target: DataTarget): readonly SocketAttack[] {
  const { data, root } = target
  const inside = '.local/share/dragoman'
  const files = [
    `${inside}/token`,
    join(data, 'token'),
    `${inside}/overflow/../token`,
    'to-token',
    'to-data/token',
    'above/share/dragoman/token',
    `to-root${data}/token`,
    `/proc/self/root${data}/token`,
    '/proc/self/environ',
    'second-name',
  ]
  const folders = [inside, data, 'to-data', 'above/share/dragoman', `/proc/self/root${root}/${inside}`]
  const calls: readonly (readonly [string, object])[] = [
    ...files.flatMap(
      path =>
        [
          ['read', { path }],
          ['search', { pattern: '.', path }],
          ['edit', { path, old_string: target.token, new_string: 'x' }],
        ] as const,
    ),
    ...files.filter(path => path !== 'second-name').map(path => ['write', { path, content: 'x' }] as const),
    ...folders.flatMap(
      path =>
        [
          ['list', { path }],
          ['search', { pattern: '.', path }],
          ['write', { path: `${path}/new/file`, content: 'x' }],
        ] as const,
    ),
    ['search', { pattern: '[\\w-]{43}' }],
    ['list', { pattern: '**/token' }],
    ['read', { path: 'second-journal' }],
  ]
  return calls.map(([name, input], at) => ({
    name: `the tool ${name} with ${JSON.stringify(input).slice(0, 120)}`,
    run: () => useTool(target, `thief-${at}`, name, input),
  }))
}

/** Lets the model call a tool in a new session; the result must contain nothing of the data folder. */
async function useTool(
  { root, token, api }: DataTarget,
  id: string,
  name: string,
  input: object,
): Promise<string | null> {
  await api('POST', '/api/sessions', { id, agent: 'thief', cwd: root })
  const encoded = Buffer.from(JSON.stringify({ name, input })).toString('base64url')
  await api('POST', `/api/sessions/${id}/prompts`, { text: `call:${encoded}` })
  for (let tries = 0; tries < 100; tries++) {
    const { body } = await api('GET', `/api/sessions/${id}/messages`)
    const [, output] = /"type":"dynamic-tool".*?"state":"(output-[^"]*)"/s.exec(body) ?? []
    if (output !== undefined) {
      await api('DELETE', `/api/sessions/${id}`)
      // The prompt contains the token if it is the text to replace.
      const told = body.slice(body.indexOf('"state":"output'))
      if (told.replaceAll(JSON.stringify(input), '').includes(token)) return 'the model got the token'
      if (/journal\.db|owner\.json/.test(told)) return 'the model got names of files'
      if (output === 'output-error') return null
      return /No matches\.|Nothing in \. matches/.test(told) ? null : `it ran: ${told.slice(0, 300)}`
    }
    await wait(50)
  }
  return 'there was no result'
}
