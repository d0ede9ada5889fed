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
export type NameOf<Told extends Call> = Told extends keyof typeof clientPaths
  ? Told
  : { [Name in keyof Rare]: Rare[Name] extends Told ? Name : never }[keyof Rare]

/** The calls that give back JSON. */
export type JsonCall = {
  [Told in Call]: NameOf<Told> extends keyof typeof replies ? Told : never
}[Call]

/** More options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

type Arguments<Told extends Call> =
  object extends Sent<NameOf<Told>>
    ? [sent?: Sent<NameOf<Told>>, options?: CallOptions]
    : [sent: Sent<NameOf<Told>>, options?: CallOptions]

/** Calls the server by name. What it refuses is a `DragomanError`, what never reached it an `UnreachableError`. */
export interface Caller {
  readonly call: <Told extends JsonCall>(
    call: Told,
    ...given: Arguments<Told>
  ) => Promise<Replied<NameOf<Told>>>
  /** The response itself, once it is fine: for streams, texts and bytes. It is not given up after a while. */
  readonly request: <Told extends Call>(call: Told, ...given: Arguments<Told>) => Promise<Response>
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
  const request = async (told: Call, sent: SentParts = {}, { signal, headers }: CallOptions = {}) => {
    const [method = '', path = ''] = (named[told] ?? told).split(' ')
    const body = JSON.stringify(sent.body) as string | undefined
    const init = { method, headers: { ...headersOf(options, sent), ...headers }, body, signal } as RequestInit
    const response = await reach(() => options.fetch(addressOf(options.url, path, sent), init), signal)
    if (!response.ok) throw await readRefusal(response)
    return response
  }
  return {
    request,
    async call(told, sent?: SentParts, given: CallOptions = {}) {
      const signals = [AbortSignal.timeout(options.timeoutMs), ...(given.signal ? [given.signal] : [])]
      const response = await request(told, sent, { ...given, signal: AbortSignal.any(signals) })
      return reach(() => response.json() as Promise<Replied<NameOf<typeof told>>>, given.signal)
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
    // Whoever wanted it no longer does; but one that takes too long cannot be reached.
    if (signal?.aborted && (signal.reason as Error).name !== 'TimeoutError') throw signal.reason as Error
    throw new UnreachableError('The server cannot be reached.', null, cause)
  }
}
