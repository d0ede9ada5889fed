import { describe, expect, it } from 'vitest'
import { paths } from '../../protocol/api/paths.ts'
import { openApi } from './openapi.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: object
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

const document = JSON.parse(JSON.stringify(openApi())) as {
  readonly openapi: string
  readonly info: object
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Every object in a JSON value. */
function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return
  yield value as Readonly<Record<string, unknown>>
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

describe('the OpenAPI document', () => {
  it('[P1] has every call, once', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Dragoman', version: '1' } })
    const named = operations.map(({ path, method, operation }) => [
      operation.operationId,
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ])
    expect(Object.fromEntries(named)).toEqual(paths)
    expect(named).toHaveLength(Object.keys(paths).length)
  })

  it('[P1] declares the parameters in each path, and no others', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter(parameter => parameter.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(inPath.every(({ required }) => required)).toBe(true)
      const names = operation.parameters.map(({ name, in: place }) => `${place} ${name}`)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it('[P1] describes the input and output of each call', () => {
    for (const { method, operation } of operations) {
      expect(operation.summary.length).toBeGreaterThan(10)
      expect(Object.keys(operation.responses)).toContain('default')
      expect(Object.keys(operation.responses).some(status => /^20[0-4]$/.test(status))).toBe(true)
      if (operation.requestBody) expect(['post', 'patch']).toContain(method)
    }
    const create = operations.find(({ operation }) => operation.operationId === 'createSession')?.operation
    expect(create?.responses).toHaveProperty('201')
    expect(create?.requestBody?.content['application/json']?.schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { cwd: { type: 'string', maxLength: 4096 } },
    })
  })

  it('[P1] has no dangling references', () => {
    const references = [...objectsIn(document)].flatMap(({ $ref }) =>
      typeof $ref === 'string' ? [$ref] : [],
    )
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? []
      expect(Object.keys(document.components.schemas)).toContain(name)
    }
    expect(JSON.stringify(document)).not.toMatch(/\$defs|__schema|"\$schema"/)
  })
})
