import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Guard } from '../auth/guard.ts'
import { setCookie } from '../auth/cookie.ts'
import type { Knock } from '../auth/knock.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { statusOf } from '../problem.ts'
import { guardedHeaders, reply } from '../responses.ts'
import { strangerPage, strangerPolicy, welcomePage } from './stranger.ts'

const types: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript; charset=utf-8',
  'parts.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
}
const html = 'text/html; charset=utf-8'

/** Nothing but our own files and calls; texts can never become scripts. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** The plain page. */
export interface Page {
  /** Shows it to whom we know, lets in who brings a ticket, and tells others how to get one. */
  open(request: Request, knock: Knock): Promise<Response>
  file(name: string): Promise<Response>
}

/** A page that lists sessions and follows one. */
export function createPage(guard: Guard): Page {
  return {
    async open(request, knock) {
      guard.checkPlace(knock)
      const ticket = new URL(request.url).searchParams.get('ticket')
      if (ticket !== null) return letIn(guard, request, knock, ticket)
      const refused = refusalOf(guard, knock)
      return refused ? turnAway(refused) : reply(200, html, await read('page.html'), secured(policy))
    },
    async file(name) {
      const type = Object.hasOwn(types, name) ? types[name] : undefined
      if (type === undefined) throw new DragomanError('unknown-path', 'The page has no such file. Open "/".')
      return reply(200, type, await read(name))
    },
  }
}

const noTicket = new DragomanError(
  'not-authenticated',
  'This address was used before, or is more than five minutes old.',
)

const read = (name: string) => readFile(join(import.meta.dirname, 'files', name), 'utf8')

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
