import { DragomanError } from '../../protocol/error.ts'
import { readBrowserKey } from './browser-key.ts'
import { cookieName, readCookie } from './cookie.ts'
import type { RequestFacts } from './request-facts.ts'
import type { SignIns } from './sign-ins.ts'
import { isSame } from './token.ts'

/** Checks the credentials of a request. Each check throws if they are missing or wrong. */
export interface Credentials {
  /** For calls, streams and WebSockets: the token, or the cookie with the key of the page. */
  checkCall(facts: RequestFacts): void
  /** For the files of the app: the cookie is enough, because they contain no secrets. */
  checkApp(facts: RequestFacts): void
}

/** A wrong secret counts as a failed try: `refuseTry` creates its error. */
export function createCredentials(
  token: string,
  signIns: SignIns,
  refuseTry: (facts: RequestFacts, message: string) => DragomanError,
): Credentials {
  const checkToken = (facts: RequestFacts, authorization: string) => {
    const [, given] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
    if (given === undefined || !isSame(given, token)) throw refuseTry(facts, wrongToken)
  }
  const checkCookie = (facts: RequestFacts) => {
    const cookies = readCookie(facts.header('cookie'), cookieName(facts.host ?? ''))
    if (cookies.length === 0) throw new DragomanError('not-authenticated', noToken)
    const { cookie } = signIns.current()
    // Another server on this host may have set a cookie with the same name. One match is enough.
    if (!cookies.some(given => isSame(given, cookie))) throw refuseTry(facts, signInAgain)
  }
  const checkKey = (facts: RequestFacts) => {
    const key = readBrowserKey(facts)
    if (key === null) throw new DragomanError('not-authenticated', signInAgain)
    if (!isSame(key, signIns.current().key)) throw refuseTry(facts, signInAgain)
  }
  const check = (facts: RequestFacts, checkBrowser: (facts: RequestFacts) => void) => {
    const authorization = facts.header('authorization')
    // With a wrong token, a valid cookie does not help.
    if (authorization === null) checkBrowser(facts)
    else checkToken(facts, authorization)
  }
  return {
    checkApp: facts => check(facts, checkCookie),
    checkCall: facts =>
      check(facts, () => {
        checkCookie(facts)
        checkKey(facts)
        checkPageIsOurs(facts)
      }),
  }
}

const noToken =
  'Authentication is required. Send "Authorization: Bearer …" with the token from the file "token" in the data folder, or open the link that "dragoman open" prints.'
/** The error for a wrong token or ticket. */
export const wrongToken =
  'Wrong token. The right one is in the file "token" in the data folder of this server.'
const signInAgain =
  'This browser is not signed in. Run "dragoman open" on the machine where the server runs, and open the link that it prints.'

/** A browser sends its cookie automatically, so the request must include the page it comes from. */
function checkPageIsOurs(facts: RequestFacts): void {
  if ((isSafe(facts) && !facts.isUpgrade) || facts.header('origin') !== null) return
  throw new DragomanError(
    'not-allowed',
    'A browser request needs an Origin header. Programs should send the token instead of a cookie.',
  )
}

/** Whether a request only reads. */
export const isSafe = ({ method }: RequestFacts): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
