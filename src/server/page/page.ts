import { createHash } from 'node:crypto'
import type { Guard } from '../auth/guard.ts'
import { setCookie } from '../auth/cookie.ts'
import type { Knock } from '../auth/knock.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { between } from '../../protocol/linear-text.ts'
import { statusOf } from '../problem.ts'
import { reply } from '../responses.ts'
import { findAppFiles, type AppFile } from './app-files.ts'
import { notBuiltPage, signInPage, signInPolicy, strangerPage, strangerPolicy } from './stranger.ts'

const html = 'text/html; charset=utf-8'

const ownOnly = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'self'"

/** Nothing but our own files and calls; texts can never become scripts. */
const appPolicy = `${ownOnly}; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dragoman`

/**
 * Diagrams are drawn in a frame with an opaque origin: it can read nothing of ours, load nothing and lead nowhere. Its one
 * inline script, known by its hash, takes the code that draws from the page around it, as a blob.
 */
const diagramPolicy = (script: string) =>
  `default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'sha256-${script}' blob:; sandbox allow-scripts; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`

/** A worker has a separate policy in its file's headers: it may load more of our scripts, and nothing else. */
const workerPolicy = ownOnly

/** The places of the app: each is the same file, which reads the address itself. */
export const appPlaces = ['/', '/s/*', '/dashboard', '/approvals'] as const

/** The web app. */
export interface Page {
  /** Shows the app to signed-in browsers, redeems a ticket, and otherwise explains how to get one. */
  open(request: Request, knock: Knock): Promise<Response>
  /** Shows the app at an unknown path: the app explains this and links to the start. */
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
  const content = await file.read()
  return reply(200, file.type, content, {
    ...(file.named && { 'cache-control': 'private, max-age=31536000, immutable' }),
    ...(path === '/diagram.html' && {
      ...secured(diagramPolicy(scriptHash(content))),
      'x-frame-options': 'SAMEORIGIN',
    }),
    ...(path === '/worker.js' && secured(appPolicy)),
    ...(path.startsWith('/assets/') && path.endsWith('.js') && secured(workerPolicy)),
  })
}

/** The hash of the inline script of a page, as policies name it. */
function scriptHash(page: Uint8Array): string {
  const script = between(new TextDecoder().decode(page), '<script>', '</script>') ?? ''
  return createHash('sha256').update(script).digest('base64')
}

const noTicket = new DragomanError(
  'not-authenticated',
  'This sign-in link was already used or is more than 5 minutes old.',
)

const secured = (contentSecurityPolicy: string) => ({ 'content-security-policy': contentSecurityPolicy })

function refusalOf(guard: Guard, knock: Knock): DragomanError | undefined {
  try {
    guard.checkApp(knock)
    return undefined
  } catch (error) {
    if (isDragomanError(error)) return error
    throw error
  }
}

const turnAway = ({ code }: DragomanError, trouble = '') =>
  reply(statusOf(code), html, strangerPage(trouble), secured(strangerPolicy))

/**
 * A ticket becomes the cookie, and the key that the page needs beside it. The key is in no address: the sign-in page puts
 * it into the page's storage, and goes on to the app. No other request gives it away, whatever cookie comes with it.
 */
function letIn(guard: Guard, request: Request, knock: Knock, ticket: string): Response {
  // Asking only for headers, as previews of links do, does not use it up.
  if (request.method !== 'GET' || !guard.redeem(knock, ticket)) return turnAway(noTicket, noTicket.message)
  const isSecure = new URL(request.url).protocol === 'https:'
  const { cookie, key } = guard.signIns.current()
  return reply(200, html, signInPage(key), {
    ...secured(signInPolicy),
    'set-cookie': setCookie(knock.host ?? '', cookie, isSecure),
  })
}
