import { DragomanError } from '../../protocol/error.ts'
import type { ServerLimits } from '../limits.ts'
import { createCredentials, isSafe, wrongToken } from './credentials.ts'
import { checkHostAndOrigin, type Hosts } from './host-and-origin.ts'
import type { RequestFacts } from './request-facts.ts'
import { createSignIns, type SignInSeed, type SignIns } from './sign-ins.ts'
import { createTickets, type Tickets } from './tickets.ts'

/** Decides which calls, streams and WebSockets are allowed. */
export interface Guard {
  readonly hosts: Hosts
  readonly tickets: Tickets
  readonly signIns: SignIns
  /** Allows a call, stream or WebSocket, or throws a `DragomanError`. */
  check(facts: RequestFacts): void
  /** The same for files of the app, for which the cookie is enough. */
  checkApp(facts: RequestFacts): void
  /** Checks only Host and Origin. */
  checkPlace(facts: RequestFacts): void
  /** Whether a ticket is valid. Wrong ones count as wrong tokens. */
  redeem(facts: RequestFacts, ticket: string): boolean
}

/** What the guard needs. */
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

  const refuseTry = (facts: RequestFacts, message: string): DragomanError => {
    if (wrongTries.take(facts.address)) return new DragomanError('not-authenticated', message)
    return new DragomanError(
      'too-many-attempts',
      'Too many wrong tokens from this address. Wait a minute, then use the token in the data folder.',
    )
  }
  const credentials = createCredentials(token, signIns, refuseTry)
  const checkPlace = (facts: RequestFacts) => checkHostAndOrigin(facts, hosts)
  return {
    hosts,
    tickets,
    signIns,
    checkPlace,
    check(facts) {
      checkPlace(facts)
      // A process manager must be able to check liveness without a token.
      if (facts.path !== '/livez') credentials.checkCall(facts)
      checkContentType(facts)
    },
    checkApp(facts) {
      checkPlace(facts)
      credentials.checkApp(facts)
      checkContentType(facts)
    },
    redeem(facts, ticket) {
      if (tickets.redeem(ticket)) return true
      const refused = refuseTry(facts, wrongToken)
      if (refused.code === 'too-many-attempts') throw refused
      return false
    },
  }
}

/** Any page can send forms and plain text without a preflight, but not JSON. */
function checkContentType(facts: RequestFacts): void {
  if (isSafe(facts)) return
  const type = facts.header('content-type')
  if (type === null ? !facts.hasBody : /^application\/json *(;|$)/i.test(type)) return
  throw new DragomanError('wrong-content-type', 'Send JSON, with "Content-Type: application/json".')
}

/** Limits how often each address may try. */
interface RateLimit {
  /** Whether one more try is allowed now. Counts it. */
  take(address: string): boolean
}

const mostAddresses = 10_000

/** A bucket of tries for each address, which refills by one per second. */
export function createRateLimit(tries: number, now: () => number): RateLimit {
  const buckets = new Map<string, { readonly used: number; readonly at: number }>()
  const usedNow = (address: string, time: number) => {
    const { used, at } = buckets.get(address) ?? { used: 0, at: time }
    // If the clock was set back, nothing changes.
    return Math.max(0, used - Math.max(0, time - at) / 1000)
  }
  return {
    take(address) {
      const time = now()
      const used = usedNow(address, time)
      if (used + 1 > tries) return false
      // Moved to the end, so that with too many addresses the least recent is removed.
      buckets.delete(address)
      buckets.set(address, { used: used + 1, at: time })
      const [oldest] = buckets.size > mostAddresses ? buckets.keys() : []
      if (oldest !== undefined) buckets.delete(oldest)
      return true
    },
  }
}
