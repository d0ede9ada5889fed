import type { Replied, Sent } from '../protocol/api/api.ts'
import { paths, type CallName } from '../protocol/api/paths.ts'
import type { replies } from '../protocol/api/replies.ts'
import { readRefusal, UnreachableError } from './refusal.ts'

/** The calls that give back JSON. */
export type JsonCall = keyof typeof replies

/** What else a call may be told. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

type Arguments<Name extends CallName> =
  object extends Sent<Name>
    ? [sent?: Sent<Name>, options?: CallOptions]
    : [sent: Sent<Name>, options?: CallOptions]

/** Calls the server by name. What it refuses is a `DragomanError`, what never reached it an `UnreachableError`. */
export interface Caller {
  readonly call: <Name extends JsonCall>(name: Name, ...given: Arguments<Name>) => Promise<Replied<Name>>
  /** The response itself, once it is fine: for streams, texts and bytes. It is not given up after a while. */
  readonly request: <Name extends CallName>(name: Name, ...given: Arguments<Name>) => Promise<Response>
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
  const request = async (name: CallName, sent: SentParts = {}, { signal, headers }: CallOptions = {}) => {
    const [method = '', path = ''] = paths[name].split(' ')
    const body = JSON.stringify(sent.body) as string | undefined
    const init = { method, headers: { ...headersOf(options, sent), ...headers }, body, signal } as RequestInit
    const response = await reach(() => options.fetch(addressOf(options.url, path, sent), init), signal)
    if (!response.ok) throw await readRefusal(response)
    return response
  }
  return {
    request,
    async call(name, sent?: SentParts, given: CallOptions = {}) {
      const signals = [AbortSignal.timeout(options.timeoutMs), ...(given.signal ? [given.signal] : [])]
      const response = await request(name, sent, { ...given, signal: AbortSignal.any(signals) })
      return reach(() => response.json() as Promise<Replied<typeof name>>, given.signal)
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
