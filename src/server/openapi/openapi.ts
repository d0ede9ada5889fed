import type * as z from 'zod/mini'
import { paths, type CallName } from '../../protocol/api/paths.ts'
import { replies } from '../../protocol/api/replies.ts'
import { problemKinds } from '../problem.ts'
import { schemasOf } from '../read-request.ts'
import { successOf } from '../routes/handler.ts'
import { otherTypes, summaries } from './describe.ts'
import { createSchemas, type JsonSchema, type Schemas } from './schemas.ts'

/** An OpenAPI 3.1 document. */
export type OpenApi = Readonly<Record<string, unknown>>

let made: OpenApi | undefined

/** The document, created once from the schemas that check requests. */
export const openApi = (): OpenApi => (made ??= makeDocument())

function makeDocument(): OpenApi {
  const schemas = createSchemas()
  const operations: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(paths) as CallName[]) {
    const [method = '', path = ''] = paths[name].split(' ')
    const place = path.replaceAll(/:(\w+)/g, '{$1}')
    operations[place] = { ...operations[place], [method.toLowerCase()]: operationOf(name, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Dragoman', version: '1' },
    security: [{ token: [] }, { cookie: [], browserKey: [] }],
    paths: operations,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'dragoman-<port>' },
        browserKey: { type: 'apiKey', in: 'header', name: 'x-dragoman-key' },
      },
      schemas: { ...schemas.components, Problem: problemSchema },
    },
  }
}

function operationOf(name: CallName, schemas: Schemas) {
  const { params, query, body } = schemasOf(name)
  return {
    operationId: name,
    summary: summaries[name],
    ...(name === 'getLiveness' && { security: [] }),
    parameters: [...parametersIn('path', params, schemas), ...parametersIn('query', query, schemas)],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.schema(body, 'input') } },
      },
    }),
    responses: {
      [successOf(name)]: { description: 'Done.', content: contentOf(name, schemas) },
      ...(name === 'resumeChat' && { 204: { description: 'Nothing is running.' } }),
      default: {
        description: 'The problem.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function parametersIn(place: 'path' | 'query', schema: z.ZodMiniType | undefined, schemas: Schemas) {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemas.schema(schema, 'input')
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: shape,
  }))
}

function contentOf(name: CallName, schemas: Schemas) {
  const shape = name in replies ? schemas.schema(replies[name as keyof typeof replies], 'output') : undefined
  const others = (otherTypes[name] ?? []).map(type => [type, {}] as const)
  return { ...(shape && { 'application/json': { schema: shape } }), ...Object.fromEntries(others) }
}

const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened and what to do.' },
    code: { type: 'string', enum: problemKinds.map(([code]) => code) },
  },
}
