import type { Received, Replied } from '../../protocol/api/api.ts'
import type { CallName } from '../../protocol/api/paths.ts'
import type { DeepReadonly } from '../deep-readonly.ts'
import type { House } from '../house.ts'
import type { Streamed } from '../streamed.ts'

/** What a handler may want to know of the request beside what it carries. */
export interface Asked {
  readonly headers: Headers
  /** The URL under which the client reached this server: `http://127.0.0.1:4400`. */
  readonly origin: string
}

/** Handles a call: replies by its schema, with a stream, or with something without a schema. */
export type Handler<Name extends CallName> = (
  house: House,
  received: Received<Name>,
  asked: Asked,
) => Promise<DeepReadonly<Replied<Name>> | Streamed | Response>

/** The handlers of some calls. */
export type Handlers<Name extends CallName = CallName> = { readonly [Each in Name]: Handler<Each> }
