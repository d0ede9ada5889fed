import { Hono, type Context } from 'hono'
import { paths, type CallName } from '../protocol/api/paths.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Guard } from './auth/guard.ts'
import { knockOf, type Knock } from './auth/knock.ts'
import type { House } from './house.ts'
import { appPlaces, createPage } from './page/page.ts'
import { statusOf } from './problem.ts'
import { readRequest } from './read-request.ts'
import { jsonReply, problemReply } from './responses.ts'
import type { Asked, Handler } from './routes/handler.ts'
import { handlers } from './routes/handlers.ts'
import { successOf } from './routes/statuses.ts'
import { unknownPath } from './unknown-path.ts'
import { isStreamed, type Streamed } from './streamed.ts'
import { streamHeaders, streamReply } from './stream-reply.ts'

/** What the server that carries the handler knows of a request. */
export interface Carrier {
  /** Who asks, as far as the network knows. */
  readonly address?: string
  /** Writes a stream more directly than a `Response` does, and returns a response that marks this. */
  readonly stream?: (streamed: Streamed) => Response
}

interface Env {
  readonly Bindings: Carrier
  readonly Variables: { knock: Knock; call: CallName }
}

/** Answers a request from any server framework. */
export type Fetch = (request: Request, carrier?: Carrier) => Promise<Response>

/** The whole of the server as one function: doors, calls, streams and the page. */
export function createHandler(house: House, guard: Guard): Fetch {
  const app = new Hono<Env>()
  const page = createPage(guard, house.options.web)
  app.onError((error, context) => fail(house, error, context))
  app.notFound(({ req }) => problemReply(unknownPath(req.method, req.path)))
  app.use(async (context, next) => {
    await next()
    const call = context.get('call') ?? 'none'
    house.metrics.requests.add({ call, status: String(context.res.status) })
  })
  app.use(async (context, next) => {
    const { raw } = context.req
    checkAddress(raw.url, house)
    context.set('knock', knockOf(raw, context.env.address ?? 'unknown'))
    await next()
  })
  for (const place of appPlaces) app.get(place, ({ req, get }) => page.open(req.raw, get('knock')))
  for (const name of Object.keys(paths) as CallName[]) register(app, house, guard, name)
  // Only files of the app, and addresses where nothing is, are left from here on.
  app.use(async (context, next) => {
    guard.checkApp(context.get('knock'))
    await next()
  })
  app.get('/api/*', ({ notFound }) => notFound())
  app.get('*', ({ req, notFound }) => page.file(req.path) ?? page.openNowhere(req.raw) ?? notFound())
  return async (request, carrier = {}) => app.fetch(request, carrier)
}

function register<Name extends CallName>(app: Hono<Env>, house: House, guard: Guard, name: Name): void {
  const [method = '', path = ''] = paths[name].split(' ')
  const handle: Handler<Name> = handlers[name]
  app.on(method, path, async context => {
    const knock = context.get('knock')
    guard.check(knock)
    context.set('call', name)
    const { raw } = context.req
    const received = await readRequest(name, raw, context.req.param(), house.options.limits)
    // A body may arrive slowly, and its sender may have been signed out meanwhile.
    if (knock.hasBody) guard.check(knock)
    const given = await handle(house, received, askedOf(raw, knock))
    if (given instanceof Response) return withoutBody(raw, given)
    if (!isStreamed(given)) return jsonReply(successOf(name), given)
    if (raw.method === 'HEAD') return new Response(null, { headers: streamHeaders(given) })
    return context.env.stream?.(given) ?? streamReply(house, given)
  })
}

const askedOf = ({ headers, url }: Request, { host }: Knock): Asked => ({
  headers,
  origin: `${new URL(url).protocol}//${host ?? ''}`,
})

/** Who asks only for the headers will not read, and so not close, what follows them. */
async function withoutBody({ method }: Request, given: Response): Promise<Response> {
  if (method === 'HEAD') await given.body?.cancel()
  return given
}

function checkAddress(url: string, { options: { limits } }: House): void {
  if (url.length <= limits.urlBytes) return
  throw new DragomanError('too-large', `The URL is longer than ${limits.urlBytes} characters. Shorten it.`)
}

function fail(house: House, error: unknown, context: Context<Env>): Response {
  const response = problemReply(error)
  const { raw, method, path } = context.req
  // A client that disconnected needs no reply, and this is not an error.
  if (response.status >= statusOf('internal') && !raw.signal.aborted)
    house.log('error', `${method} ${path} failed.`, { error, status: response.status })
  return response
}
