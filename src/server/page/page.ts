import type { Guard } from '../auth/guard.ts'
import { setCookie } from '../auth/cookie.ts'
import type { Knock } from '../auth/knock.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { statusOf } from '../problem.ts'
import { guardedHeaders, reply } from '../responses.ts'
import { findAppFiles, type AppFile } from './app-files.ts'
import { notBuiltPage, strangerPage, strangerPolicy, welcomePage } from './stranger.ts'

const html = 'text/html; charset=utf-8'

const ownOnly = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'self'"

/** Nothing but our own files and calls; texts can never become scripts. */
const appPolicy = `${ownOnly}; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dragoman`

/**
 * Diagrams are drawn in a frame of their own: what draws them needs styles of its own making, so it gets no network,
 * and opens and leads nowhere. It keeps our origin: without one, the browser would count its own scripts as those of
 * another site, and not send the strict cookie that they need. Browsers warn that such a page could free itself from
 * its sandbox; what keeps texts from becoming scripts is `script-src`, not the sandbox.
 */
const diagramPolicy = `${ownOnly}; sandbox allow-scripts allow-same-origin; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; frame-ancestors 'self'`

/** A worker has a policy of its own, which comes with its file: it may fetch more of our scripts, and nothing else. */
const workerPolicy = ownOnly

/** The places of the app: each is the same file, which reads the address itself. */
export const appPlaces = ['/', '/s/*', '/dashboard', '/approvals'] as const

/** The web app. */
export interface Page {
  /** Shows it to whom we know, lets in who brings a ticket, and tells others how to get one. */
  open(request: Request, knock: Knock): Promise<Response>
  /** Shows the app to a browser that was led to an address where nothing is: the app says so, and leads on. */
  openNowhere(request: Request): Promise<Response> | undefined
  /** A file of the app, if there is such a one. */
  file(path: string): Promise<Response> | undefined
}

/** Serves the app that was built into a folder. */
export function createPage(guard: Guard, folder: string | undefined): Page {
  const files = findAppFiles(folder)
  const app = files.get('/index.html')
  return {
    async open(request, knock) {
      guard.checkPlace(knock)
      const ticket = new URL(request.url).searchParams.get('ticket')
      if (ticket !== null) return letIn(guard, request, knock, ticket)
      const refused = refusalOf(guard, knock)
      if (refused) return turnAway(refused)
      return app ? show(app, 200) : reply(200, html, notBuiltPage, secured(strangerPolicy))
    },
    openNowhere({ headers }) {
      const isBrowser = headers.get('accept')?.includes('text/html') === true
      return app && isBrowser ? show(app, 404) : undefined
    },
    file(path) {
      const file = files.get(path)
      return file && send(file, path)
    },
  }
}

const show = async (app: AppFile, status: number) => reply(status, html, await app.read(), secured(appPolicy))

async function send(file: AppFile, path: string): Promise<Response> {
  return reply(200, file.type, await file.read(), {
    ...(file.named && { 'cache-control': 'private, max-age=31536000, immutable' }),
    ...(path === '/diagram.html' && { ...secured(diagramPolicy), 'x-frame-options': 'SAMEORIGIN' }),
    ...(path === '/worker.js' && secured(appPolicy)),
    ...(path.startsWith('/assets/') && path.endsWith('.js') && secured(workerPolicy)),
  })
}

const noTicket = new DragomanError(
  'not-authenticated',
  'This address was used before, or is more than five minutes old.',
)

const secured = (contentSecurityPolicy: string) => ({ 'content-security-policy': contentSecurityPolicy })

function refusalOf(guard: Guard, knock: Knock): DragomanError | undefined {
  try {
    guard.check(knock)
    return undefined
  } catch (error) {
    if (isDragomanError(error)) return error
    throw error
  }
}

const turnAway = ({ code }: DragomanError, trouble = '') =>
  reply(statusOf(code), html, strangerPage(trouble), secured(strangerPolicy))

/** A ticket becomes the cookie; the address without it is what stays in the browser. */
function letIn(guard: Guard, request: Request, knock: Knock, ticket: string): Response {
  // Asking only for headers, as previews of links do, does not use it up.
  if (request.method !== 'GET' || !guard.redeem(knock, ticket)) return turnAway(noTicket, noTicket.message)
  const isSecure = new URL(request.url).protocol === 'https:'
  const headers = { 'set-cookie': setCookie(knock.host ?? '', guard.cookie, isSecure) }
  // Led here by another site, a browser would not send the strict cookie after a redirect, but it does after a fresh start.
  if (knock.header('sec-fetch-site') === 'cross-site')
    return reply(200, html, welcomePage, { ...secured(strangerPolicy), ...headers })
  return new Response(null, { status: 303, headers: { ...guardedHeaders, ...headers, location: '/' } })
}
