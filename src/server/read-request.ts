import type * as z from 'zod/mini'
import type { Received } from '../protocol/api/api.ts'
import { paths, type CallName } from '../protocol/api/paths.ts'
import { requests } from '../protocol/api/requests.ts'
import { checkInput, type Wording } from '../protocol/check-input.ts'
import { DragomanError } from '../protocol/error.ts'
import type { ServerLimits } from './limits.ts'
import { readJsonBody } from './read-json.ts'

/** The schemas of one call. */
interface Schemas {
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
}

/** The schemas of a call's input. */
export const schemasOf = (name: CallName): Schemas =>
  name in requests ? requests[name as keyof typeof requests] : {}

const inPath: Wording = { whole: 'The address', piece: 'In the address,' }
const inQuery: Wording = { whole: 'The address', piece: 'The parameter' }
const inBody: Wording = { whole: 'The body', piece: 'The field' }

/** Reads and checks the input of a call. */
export async function readRequest<Name extends CallName>(
  name: Name,
  request: Request,
  params: Readonly<Record<string, string>>,
  limits: ServerLimits,
): Promise<Received<Name>> {
  const schemas = schemasOf(name)
  const query = readQuery(request.url)
  if (schemas.query === undefined && Object.keys(query).length > 0)
    throw new DragomanError('invalid-input', `${paths[name]} takes no query parameters. Remove them.`)
  return {
    params: schemas.params && checkInput<z.ZodMiniType>(schemas.params, params, inPath),
    query: schemas.query && checkInput<z.ZodMiniType>(schemas.query, query, inQuery),
    body: await readBody(name, request, schemas.body, limits),
  } as Received<Name>
}

function readQuery(url: string): Readonly<Record<string, string>> {
  const pairs = [...new URL(url).searchParams]
  const query = Object.fromEntries(pairs)
  if (Object.keys(query).length === pairs.length) return query
  throw new DragomanError('invalid-input', 'A parameter is given twice. Send each one only once.')
}

async function readBody(
  name: CallName,
  request: Request,
  schema: z.ZodMiniType | undefined,
  limits: ServerLimits,
): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const body = await readJsonBody(request, limits)
  if (body !== undefined && request.headers.get('content-type') === null)
    throw new DragomanError('wrong-content-type', 'Send JSON, with "Content-Type: application/json".')
  if (schema === undefined) return refuseBody(name, body)
  if (body === undefined)
    throw new DragomanError('invalid-input', `${paths[name]} needs a body. Send it as JSON.`)
  return checkInput(schema, body, inBody)
}

/** Some clients always send an object. */
function refuseBody(name: CallName, body: unknown): undefined {
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  if (body === undefined || isEmpty) return undefined
  throw new DragomanError('invalid-input', `${paths[name]} takes no body. Remove it.`)
}
