import { DragomanError } from '../../protocol/error.ts'
import type { ServerLimits } from '../limits.ts'
import { cookieName, cookieValue, readCookie } from './cookie.ts'
import { checkHostAndOrigin, type Hosts } from './host-and-origin.ts'
import type { Knock } from './knock.ts'
import { createRateLimit } from './rate-limit.ts'
import { createTickets, type Tickets } from './tickets.ts'
import { isSame } from './token.ts'

/** Decides who comes in: by calls, by streams and by WebSockets alike. */
export interface Guard {
  readonly hosts: Hosts
  readonly tickets: Tickets
  /** What a browser gets as its cookie. */
  readonly cookie: string
  /** Lets a request pass, or refuses it with a `DragomanError`. */
  check(knock: Knock): void
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
  readonly now: () => number
}

/** The one guard of a server. */
export function createGuard({ token, hosts, limits, now }: GuardOptions): Guard {
  const cookie = cookieValue(token)
  const tickets = createTickets(limits.ticketMs, now)
  const wrongTries = createRateLimit(limits.wrongTokens, now)

  const refuseTry = (knock: Knock, message: string): DragomanError => {
    if (wrongTries.take(knock.address)) return new DragomanError('not-authenticated', message)
    return new DragomanError(
      'too-many-attempts',
      'There were too many wrong tokens from this address. Wait a minute, and use the token of the data folder.',
    )
  }
  const checkPlace = (knock: Knock) => checkHostAndOrigin(knock, hosts)
  const checkPerson = (knock: Knock) => {
    const authorization = knock.header('authorization')
    if (authorization !== null) {
      const [, given] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
      if (given === undefined || !isSame(given, token)) throw refuseTry(knock, wrongToken)
      return
    }
    const cookies = readCookie(knock.header('cookie'), cookieName(knock.host ?? ''))
    if (cookies.length === 0) throw new DragomanError('not-authenticated', noToken)
    if (!cookies.some(given => isSame(given, cookie))) throw refuseTry(knock, wrongCookie)
    checkPageIsOurs(knock)
  }
  return {
    hosts,
    tickets,
    cookie,
    checkPlace,
    check(knock) {
      checkPlace(knock)
      // Whoever restarts servers must be able to ask whether this one lives.
      if (knock.path !== '/livez') checkPerson(knock)
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

const noToken =
  'This needs the token: send "Authorization: Bearer …" with what the file "token" in the data folder holds, or open the address that "dragoman open" prints.'
const wrongToken = 'That token is not the one of this server. It is in the file "token" in its data folder.'
const wrongCookie =
  'This browser was let in by an earlier token. Run "dragoman open" and open the address that it prints.'

const isSafe = ({ method }: Knock) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** A browser sends its cookie by itself, so it must say which page wanted that. */
function checkPageIsOurs(knock: Knock): void {
  if ((isSafe(knock) && !knock.isUpgrade) || knock.header('origin') !== null) return
  throw new DragomanError(
    'not-allowed',
    'A browser must say from which page this comes (Origin). A program should send the token instead of a cookie.',
  )
}

/** Forms and plain texts can be sent by any page without asking; JSON cannot. */
function checkContentType(knock: Knock): void {
  if (isSafe(knock)) return
  const type = knock.header('content-type')
  if (type === null ? !knock.hasBody : /^application\/json *(;|$)/i.test(type)) return
  throw new DragomanError('wrong-content-type', 'Send JSON, with "Content-Type: application/json".')
}
