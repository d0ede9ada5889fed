import type { Replied, Sent } from '../protocol/api/api.ts'
import { clientPaths } from '../protocol/api/client-paths.ts'
import type { rarePaths } from '../protocol/api/paths.ts'
import type { replies } from '../protocol/api/replies.ts'
import { readRefusal, UnreachableError } from './refusal.ts'

const named: Readonly<Partial<Record<string, string>>> = clientPaths

type Rare = typeof rarePaths

/** Identifies a call for the client: by name, or by path if it is a rare one. */
export type Call = keyof typeof clientPaths | Rare[keyof Rare]

/** The name of a call that may be given by its path. */
export type NameOf<Called extends Call> = Called extends keyof typeof clientPaths
  ? Called
  : { [Name in keyof Rare]: Rare[Name] extends Called ? Name : never }[keyof Rare]

/** The calls that give back JSON. */
export type JsonCall = {
  [Called in Call]: NameOf<Called> extends keyof typeof replies ? Called : never
}[Call]

/** More options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

type Arguments<Called extends Call> =
  object extends Sent<NameOf<Called>>
    ? [sent?: Sent<NameOf<Called>>, options?: CallOptions]
    : [sent: Sent<NameOf<Called>>, options?: CallOptions]

/** Calls the server by name. What it refuses is a `DragomanError`, what never reached it an `UnreachableError`. */
export interface Caller {
  readonly call: <Called extends JsonCall>(
    call: Called,
    ...given: Arguments<Called>
  ) => Promise<Replied<NameOf<Called>>>
  /** The response itself, once it is fine: for streams, texts and bytes. It is not given up after a while. */
  readonly request: <Called extends Call>(call: Called, ...given: Arguments<Called>) => Promise<Response>
}

/** How the server is reached. */
export interface CallerOptions {
  readonly url: string
  readonly token?: string | undefined
  readonly fetch: typeof fetch
  /** Milliseconds after which a call without an answer is given up. */
  readonly timeoutMs: number
}

interface SentParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Record<string, string>
  readonly body?: unknown
}

/** Makes calls from the table of paths alone: no schema comes along. */
export function createCaller(options: CallerOptions): Caller {
  const request = async (called: Call, sent: SentParts = {}, { signal, headers }: CallOptions = {}) => {
    const [method = '', path = ''] = (named[called] ?? called).split(' ')
    const body = JSON.stringify(sent.body) as string | undefined
    const init = { method, headers: { ...headersOf(options, sent), ...headers }, body, signal } as RequestInit
    const response = await reach(() => options.fetch(addressOf(options.url, path, sent), init), signal)
    if (!response.ok) throw await readRefusal(response)
    return response
  }
  return {
    request,
    async call(called, sent?: SentParts, given: CallOptions = {}) {
      const signals = [AbortSignal.timeout(options.timeoutMs), ...(given.signal ? [given.signal] : [])]
      const response = await request(called, sent, { ...given, signal: AbortSignal.any(signals) })
      return reach(() => response.json() as Promise<Replied<NameOf<typeof called>>>, given.signal)
    },
  }
}

/** An address with its parameters filled in. */
function addressOf(url: string, path: string, { params = {}, query = {} }: SentParts): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = new URLSearchParams(query).toString()
  return `${url}${filled}${asked && `?${asked}`}`
}

const headersOf = ({ token }: CallerOptions, { body }: SentParts) => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
})

async function reach<Value>(ask: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await ask()
  } catch (cause) {
    // The caller aborted it. A timeout counts as unreachable.
    if (signal?.aborted && (signal.reason as Error).name !== 'TimeoutError') throw signal.reason as Error
    throw new UnreachableError('The server cannot be reached.', null, cause)
  }
}
