import { createHash } from 'node:crypto'
import type { Guard } from '../auth/guard.ts'
import { setCookie } from '../auth/cookie.ts'
import type { RequestFacts } from '../auth/request-facts.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { between } from '../../protocol/linear-text.ts'
import { statusOf } from '../problem.ts'
import { reply } from '../responses.ts'
import { findAppFiles, type AppFile } from './app-files.ts'
import { notBuiltPage, signInPage, signInPolicy, signedOutPage, signedOutPolicy } from './sign-in-page.ts'

const html = 'text/html; charset=utf-8'

const ownOnly = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'self'"

/** Only our own files and calls. Text can never become a script. */
const appPolicy = `${ownOnly}; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dragoman`

/**
 * Diagrams are drawn in a frame with an opaque origin, which cannot read our data, load anything or navigate. Its one inline
 * script, allowed by its hash, gets the drawing code from the page as a blob.
 */
const diagramPolicy = (script: string) =>
  `default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'sha256-${script}' blob:; sandbox allow-scripts; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`

/** A worker has a separate policy in its file's headers: it may load more of our scripts, and nothing else. */
const workerPolicy = ownOnly

/** The paths of the app. Each serves the same file, which reads the address itself. */
export const appPlaces = ['/', '/s/*', '/dashboard', '/approvals', '/settings'] as const

/** The web app. */
export interface Page {
  /** Shows the app to signed-in browsers, redeems a ticket, and otherwise explains how to get one. */
  open(request: Request, facts: RequestFacts): Promise<Response>
  /** Shows the app at an unknown path: the app explains this and links to the start. */
  openNowhere(request: Request): Promise<Response> | undefined
  /** A file of the app, if it exists. */
  file(path: string): Promise<Response> | undefined
}

/** Serves the app that was built into a folder. */
export function createPage(guard: Guard, folder: string | undefined): Page {
  const files = findAppFiles(folder)
  const app = files.get('/index.html')
  return {
    async open(request, facts) {
      guard.checkPlace(facts)
      const ticket = new URL(request.url).searchParams.get('ticket')
      if (ticket !== null) return letIn(guard, request, facts, ticket)
      const refused = refusalOf(guard, facts)
      if (refused) return turnAway(refused)
      return app ? show(app, 200) : reply(200, html, notBuiltPage, secured(signedOutPolicy))
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

/** The hash of a page's inline script, in the form of a policy. */
function scriptHash(page: Uint8Array): string {
  const script = between(new TextDecoder().decode(page), '<script>', '</script>') ?? ''
  return createHash('sha256').update(script).digest('base64')
}

const noTicket = new DragomanError(
  'not-authenticated',
  'This sign-in link was already used or is more than 5 minutes old.',
)

const secured = (contentSecurityPolicy: string) => ({ 'content-security-policy': contentSecurityPolicy })

function refusalOf(guard: Guard, facts: RequestFacts): DragomanError | undefined {
  try {
    guard.checkApp(facts)
    return undefined
  } catch (error) {
    if (isDragomanError(error)) return error
    throw error
  }
}

const turnAway = ({ code }: DragomanError, trouble = '') =>
  reply(statusOf(code), html, signedOutPage(trouble), secured(signedOutPolicy))

/**
 * Exchanges a ticket for the cookie and the page key. The key is never in a URL: the sign-in page puts it into the page's
 * storage and opens the app. No other response contains it, even with a valid cookie.
 */
function letIn(guard: Guard, request: Request, facts: RequestFacts, ticket: string): Response {
  // A HEAD request, as link previews send, does not use up the ticket.
  if (request.method !== 'GET' || !guard.redeem(facts, ticket)) return turnAway(noTicket, noTicket.message)
  const isSecure = new URL(request.url).protocol === 'https:'
  const { cookie, key } = guard.signIns.current()
  return reply(200, html, signInPage(key), {
    ...secured(signInPolicy),
    'set-cookie': setCookie(facts.host ?? '', cookie, isSecure),
  })
}
