import { Hono, type Context } from 'hono'
import { paths, type CallName } from '../protocol/api/paths.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Guard } from './auth/guard.ts'
import { factsOfRequest, type RequestFacts } from './auth/request-facts.ts'
import type { ServerParts } from './server-parts.ts'
import { appPlaces, createPage } from './page/page.ts'
import { statusOf } from './problem.ts'
import { readRequest } from './read-request.ts'
import { jsonReply, problemReply } from './responses.ts'
import type { Asked, Handler } from './routes/handler.ts'
import { handlers } from './routes/handlers.ts'
import { successOf } from './routes/handler.ts'
import { unknownPath } from './unknown-path.ts'
import { isStreamed, type Streamed } from './streams/sink.ts'
import { streamHeaders, streamReply } from './responses.ts'

/** What the HTTP server around the handler knows about a request. */
export interface Carrier {
  /** The network address of the client. */
  readonly address?: string
  /** Writes a stream more directly than a `Response` does, and returns a response that marks this. */
  readonly stream?: (streamed: Streamed) => Response
}

interface Env {
  readonly Bindings: Carrier
  readonly Variables: { facts: RequestFacts; call: CallName }
}

/** Answers a request from any server framework. */
export type Fetch = (request: Request, carrier?: Carrier) => Promise<Response>

/** The whole server as one function: guard, calls, streams and app. */
export function createHandler(server: ServerParts, guard: Guard): Fetch {
  const app = new Hono<Env>()
  const page = createPage(guard, server.options.web)
  app.onError((error, context) => fail(server, error, context))
  app.notFound(({ req }) => problemReply(unknownPath(req.method, req.path)))
  app.use(async (context, next) => {
    await next()
    const call = context.get('call') ?? 'none'
    server.metrics.requests.add({ call, status: String(context.res.status) })
  })
  app.use(async (context, next) => {
    const { raw } = context.req
    checkAddress(raw.url, server)
    context.set('facts', factsOfRequest(raw, context.env.address ?? 'unknown'))
    await next()
  })
  for (const place of appPlaces) app.get(place, ({ req, get }) => page.open(req.raw, get('facts')))
  for (const name of Object.keys(paths) as CallName[]) register(app, server, guard, name)
  // From here on: files of the app, and unknown paths.
  app.use(async (context, next) => {
    guard.checkApp(context.get('facts'))
    await next()
  })
  app.get('/api/*', ({ notFound }) => notFound())
  app.get('*', ({ req, notFound }) => page.file(req.path) ?? page.openNowhere(req.raw) ?? notFound())
  return async (request, carrier = {}) => app.fetch(request, carrier)
}

function register<Name extends CallName>(
  app: Hono<Env>,
  server: ServerParts,
  guard: Guard,
  name: Name,
): void {
  const [method = '', path = ''] = paths[name].split(' ')
  const handle: Handler<Name> = handlers[name]
  app.on(method, path, async context => {
    const facts = context.get('facts')
    guard.check(facts)
    context.set('call', name)
    const { raw } = context.req
    const received = await readRequest(name, raw, context.req.param(), server.options.limits)
    // A body may arrive slowly, and the browser may have been signed out meanwhile.
    if (facts.hasBody) guard.check(facts)
    const result = await handle(server, received, askedOf(raw, facts))
    if (result instanceof Response) return withoutBody(raw, result)
    if (!isStreamed(result)) return jsonReply(successOf(name), result)
    if (raw.method === 'HEAD') return new Response(null, { headers: streamHeaders(result) })
    return context.env.stream?.(result) ?? streamReply(result, server.options.limits.parkBytes)
  })
}

const askedOf = ({ headers, url }: Request, { host }: RequestFacts): Asked => ({
  headers,
  origin: `${new URL(url).protocol}//${host ?? ''}`,
})

/** A HEAD request does not read the body, so the body is closed here. */
async function withoutBody({ method }: Request, given: Response): Promise<Response> {
  if (method === 'HEAD') await given.body?.cancel()
  return given
}

function checkAddress(url: string, { options: { limits } }: ServerParts): void {
  if (url.length <= limits.urlBytes) return
  throw new DragomanError('too-large', `The URL is longer than ${limits.urlBytes} characters. Shorten it.`)
}

function fail(server: ServerParts, error: unknown, context: Context<Env>): Response {
  const response = problemReply(error)
  const { raw, method, path } = context.req
  // A client that disconnected needs no reply, and this is not an error.
  if (response.status >= statusOf('internal') && !raw.signal.aborted)
    server.log('error', `${method} ${path} failed.`, { error, status: response.status })
  return response
}
