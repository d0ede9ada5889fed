import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { rawBytes } from '../agents/kit/raw-bytes.ts'
import { scripted } from '../agents/scripted/index.ts'
import type { Replied, Sent } from '../protocol/api/api.ts'
import { paths, type CallName } from '../protocol/api/paths.ts'
import { replies } from '../protocol/api/replies.ts'
import { openStore, type SqliteStore } from '../store/open-store.ts'
import { createDragoman, type Dragoman, type DragomanOptions } from './create-dragoman.ts'

/** The name under which the fixture is asked for. */
export const host = 'dragoman.test:4400'

/** What came back from a call. */
export interface Reply<Name extends CallName> {
  readonly status: number
  readonly headers: Headers
  /** Checked against the schema of the call when it went well. */
  readonly json: Replied<Name>
  readonly text: string
}

/** A server without a port, with a new data folder and the scripted agent. */
export interface Opened extends AsyncDisposable {
  readonly dragoman: Dragoman
  readonly store: SqliteStore
  /** Where agents may work. */
  readonly root: string
  /** The lines of the log. */
  readonly lines: readonly string[]
  /** Calls with the token, as a program would. */
  call<Name extends CallName>(name: Name, sent: Sent<Name>, headers?: HeadersInit): Promise<Reply<Name>>
  /** Sends anything; only the host is right. */
  send(path: string, init?: RequestInit & { readonly token?: boolean }): Promise<Response>
  /** A session in which the agent does not dawdle. */
  session(id?: string): Promise<string>
  /** Waits until the agent asks something. */
  asked(session: string): Promise<Replied<'listApprovals'>['approvals'][number]>
  /** Prompts, and waits until nothing runs any more. */
  run(session: string, text: string): Promise<void>
}

/** Opens one; disposing of it ends its agents and removes its folder. */
export async function openDragoman(more: Partial<DragomanOptions> = {}): Promise<Opened> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-server-')))
  const store = await openStore({ folder: join(root, 'data'), durability: 'fast' })
  const lines: string[] = []
  const opening = createDragoman({
    store,
    agents: [scripted],
    hosts: [host],
    roots: [root],
    defaultFolder: root,
    log: line => lines.push(line),
    lint: true,
    importing: { env: { HOME: root } },
    sessionLimits: { interruptMs: 300 },
    rawBytes,
    ...more,
  })
  const dragoman = await opening.catch(async (error: unknown) => {
    await store[Symbol.asyncDispose]()
    rmSync(root, { recursive: true, force: true })
    throw error
  })
  const send: Opened['send'] = (path, { token = true, headers, ...init } = {}) => {
    const all = new Headers({ host, ...(token && { authorization: `Bearer ${dragoman.token}` }) })
    new Headers(headers).forEach((value, name) => all.set(name, value))
    return dragoman.handler(new Request(`http://${host}${path}`, { ...init, headers: all }))
  }
  const call: Opened['call'] = async (name, sent, headers = {}) => {
    const { path, ...init } = requestOf(name, sent)
    const response = await send(path, {
      ...init,
      headers: { ...init.headers, ...Object.fromEntries(new Headers(headers)) },
    })
    return readReply(name, response)
  }
  return {
    dragoman,
    store,
    root,
    lines,
    call,
    send,
    async session(id) {
      const body = { ...(id !== undefined && { id }), options: { pace: 0 } }
      return (await call('createSession', { body })).json.id
    },
    async asked(session) {
      const pending = async () => {
        const { json } = await call('listApprovals', { params: { session } })
        return json.approvals.find(({ status }) => status === 'pending')
      }
      await expect.poll(pending).toBeDefined()
      return (await pending()) ?? expect.unreachable()
    },
    async run(session, text) {
      await call('prompt', { params: { session }, body: { text } })
      await dragoman.sessions.whenIdle(session as Parameters<typeof dragoman.sessions.whenIdle>[0])
    },
    async [Symbol.asyncDispose]() {
      await dragoman[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

interface Loose {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** How a call is sent: the method, the address and what goes with them. */
export function requestOf(name: CallName, sent: Loose) {
  const [method = '', pattern = ''] = paths[name].split(' ')
  const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(sent.params?.[key])),
  )
  const query = new URLSearchParams(
    Object.entries(sent.query ?? {}).map(([key, value]) => [key, String(value)]),
  )
  const json = { 'content-type': 'application/json' }
  return {
    method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    headers: sent.body === undefined ? {} : json,
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  }
}

async function readReply<Name extends CallName>(name: Name, response: Response): Promise<Reply<Name>> {
  const { status, headers } = response
  if (headers.get('content-type')?.startsWith('text/event-stream') === true)
    return { status, headers, json: undefined as Replied<Name>, text: '' }
  const text = await response.text()
  const isJson = headers.get('content-type')?.includes('json') === true
  const json: unknown = isJson ? JSON.parse(text) : undefined
  if (response.ok && name in replies) replies[name as keyof typeof replies].parse(json)
  return { status, headers, json: json as Replied<Name>, text }
}
