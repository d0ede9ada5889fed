import type { Received, Replied } from '../../protocol/api/api.ts'
import type { CallName } from '../../protocol/api/paths.ts'
import type { DeepReadonly } from '../deep-readonly.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Streamed } from '../streams/sink.ts'

/** What a handler may need of a request in addition to its input. */
export interface Asked {
  readonly headers: Headers
  /** The URL under which the client reached this server: `http://127.0.0.1:4400`. */
  readonly origin: string
}

/** Handles a call: replies by its schema, with a stream, or with something without a schema. */
export type Handler<Name extends CallName> = (
  server: ServerParts,
  received: Received<Name>,
  asked: Asked,
) => Promise<DeepReadonly<Replied<Name>> | Streamed | Response>

/** The handlers of some calls. */
export type Handlers<Name extends CallName = CallName> = { readonly [Each in Name]: Handler<Each> }

/** 201: something was created. 202: something started and goes on. All other calls: 200. */
const statuses: { readonly [Name in CallName]?: number } = {
  createTicket: 201,
  createSession: 201,
  branch: 201,
  manipulate: 201,
  startImport: 202,
  prompt: 202,
  continueQueue: 202,
  interrupt: 202,
}

/** The status of a successful call. */
export const successOf = (name: CallName): number => statuses[name] ?? 200
