import { DragomanError } from '../../protocol/error.ts'
import type { ServerLimits } from '../limits.ts'
import { createCredentials, isSafe, wrongToken } from './credentials.ts'
import { checkHostAndOrigin, type Hosts } from './host-and-origin.ts'
import type { Knock } from './knock.ts'
import { createRateLimit } from './rate-limit.ts'
import { createSignIns, type SignInSeed, type SignIns } from './sign-ins.ts'
import { createTickets, type Tickets } from './tickets.ts'

/** Decides which calls, streams and WebSockets are allowed. */
export interface Guard {
  readonly hosts: Hosts
  readonly tickets: Tickets
  readonly signIns: SignIns
  /** Lets a call, a stream or a WebSocket pass, or refuses it with a `DragomanError`. */
  check(knock: Knock): void
  /** The same for the files of the app, for which a browser needs its cookie only. */
  checkApp(knock: Knock): void
  /** Only whether it comes by our name and from our page. */
  checkPlace(knock: Knock): void
  /** Whether a ticket is good; wrong ones count as wrong tokens. */
  redeem(knock: Knock, ticket: string): boolean
}

/** What the guard knows. */
export interface GuardOptions {
  readonly token: string
  readonly hosts: Hosts
  readonly limits: ServerLimits
  readonly seed: SignInSeed
  readonly now: () => number
  /** A monotonic clock. */
  readonly elapsed: () => number
}

/** The one guard of a server. */
export function createGuard({ token, hosts, limits, seed, now, elapsed }: GuardOptions): Guard {
  const signIns = createSignIns(token, seed)
  const tickets = createTickets(limits.ticketMs, { now, elapsed })
  const wrongTries = createRateLimit(limits.wrongTokens, elapsed)

  const refuseTry = (knock: Knock, message: string): DragomanError => {
    if (wrongTries.take(knock.address)) return new DragomanError('not-authenticated', message)
    return new DragomanError(
      'too-many-attempts',
      'Too many wrong tokens from this address. Wait a minute, then use the token in the data folder.',
    )
  }
  const credentials = createCredentials(token, signIns, refuseTry)
  const checkPlace = (knock: Knock) => checkHostAndOrigin(knock, hosts)
  return {
    hosts,
    tickets,
    signIns,
    checkPlace,
    check(knock) {
      checkPlace(knock)
      // Whoever restarts servers must be able to ask whether this one lives.
      if (knock.path !== '/livez') credentials.checkCall(knock)
      checkContentType(knock)
    },
    checkApp(knock) {
      checkPlace(knock)
      credentials.checkApp(knock)
      checkContentType(knock)
    },
    redeem(knock, ticket) {
      if (tickets.redeem(ticket)) return true
      const refused = refuseTry(knock, wrongToken)
      if (refused.code === 'too-many-attempts') throw refused
      return false
    },
  }
}

/** Forms and plain texts can be sent by any page without asking; JSON cannot. */
function checkContentType(knock: Knock): void {
  if (isSafe(knock)) return
  const type = knock.header('content-type')
  if (type === null ? !knock.hasBody : /^application\/json *(;|$)/i.test(type)) return
  throw new DragomanError('wrong-content-type', 'Send JSON, with "Content-Type: application/json".')
}
