import { DragomanError } from '../../protocol/error.ts'
import { readBrowserKey } from './browser-key.ts'
import { cookieName, readCookie } from './cookie.ts'
import type { Knock } from './knock.ts'
import type { SignIns } from './sign-ins.ts'
import { isSame } from './token.ts'

/** Checks the credentials of a request. Each check throws if they are missing or wrong. */
export interface Credentials {
  /** For calls, streams and WebSockets: the token, or the cookie with the key of the page. */
  checkCall(knock: Knock): void
  /** For the files of the app: the cookie is enough, for they hold nothing secret. */
  checkApp(knock: Knock): void
}

/** A wrong secret counts as a try: `refuseTry` makes the error for it. */
export function createCredentials(
  token: string,
  signIns: SignIns,
  refuseTry: (knock: Knock, message: string) => DragomanError,
): Credentials {
  const checkToken = (knock: Knock, authorization: string) => {
    const [, given] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
    if (given === undefined || !isSame(given, token)) throw refuseTry(knock, wrongToken)
  }
  const checkCookie = (knock: Knock) => {
    const cookies = readCookie(knock.header('cookie'), cookieName(knock.host ?? ''))
    if (cookies.length === 0) throw new DragomanError('not-authenticated', noToken)
    const { cookie } = signIns.current()
    // Another server of this host may have set a second cookie of this name; ours counts all the same.
    if (!cookies.some(given => isSame(given, cookie))) throw refuseTry(knock, signInAgain)
  }
  const checkKey = (knock: Knock) => {
    const key = readBrowserKey(knock)
    if (key === null) throw new DragomanError('not-authenticated', signInAgain)
    if (!isSame(key, signIns.current().key)) throw refuseTry(knock, signInAgain)
  }
  const check = (knock: Knock, checkBrowser: (knock: Knock) => void) => {
    const authorization = knock.header('authorization')
    // A wrong token is not made good by a cookie.
    if (authorization === null) checkBrowser(knock)
    else checkToken(knock, authorization)
  }
  return {
    checkApp: knock => check(knock, checkCookie),
    checkCall: knock =>
      check(knock, () => {
        checkCookie(knock)
        checkKey(knock)
        checkPageIsOurs(knock)
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
function checkPageIsOurs(knock: Knock): void {
  if ((isSafe(knock) && !knock.isUpgrade) || knock.header('origin') !== null) return
  throw new DragomanError(
    'not-allowed',
    'A browser request needs an Origin header. Programs should send the token instead of a cookie.',
  )
}

/** Whether a request asks for something and changes nothing. */
export const isSafe = ({ method }: Knock): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
