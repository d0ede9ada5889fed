import * as z from 'zod/mini'
import { contextPartSchema, manipulationSchema } from '../../protocol/api/context-replies.ts'
import { sentPartSchema } from '../../protocol/api/requests.ts'
import * as shapes from '../../protocol/api/replies.ts'
import { jsonSchema, promptPartSchema } from '../../protocol/command.ts'

/** The fields of a JSON schema that we use. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly [key: string]: unknown
}

const named = z.registry<{ readonly id: string } & JsonSchema>()
named.add(shapes.sessionSchema, { id: 'Session' })
named.add(shapes.sessionDetailsSchema, { id: 'SessionDetails' })
named.add(shapes.approvalSchema, { id: 'Approval' })
named.add(shapes.ruleSchema, { id: 'Rule' })
named.add(shapes.entrySchema, { id: 'Entry' })
named.add(shapes.messageSchema, { id: 'Message' })
named.add(shapes.storedMessageSchema, { id: 'StoredMessage' })
named.add(contextPartSchema, { id: 'ContextPart' })
named.add(manipulationSchema, { id: 'Manipulation' })
named.add(promptPartSchema, { id: 'PromptPart' })
// Zod does not look into these two, so they are described here.
named.add(jsonSchema, { id: 'Json', description: 'Any JSON value.' })
named.add(sentPartSchema, {
  id: 'SentPart',
  type: 'object',
  properties: { type: { type: 'string' } },
  required: ['type'],
})

/** Converts zod schemas to JSON schemas, and collects those that have a name. */
export interface Schemas {
  schema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema
  readonly components: Readonly<Record<string, JsonSchema>>
}

/** An empty collection. */
export function createSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {}
  return {
    components,
    schema(schema, io) {
      const text = JSON.stringify(z.toJSONSchema(schema, { io, metadata: named }))
      const {
        $defs = {},
        $schema: _dialect,
        ...own
      } = JSON.parse(inDocument(text)) as JsonSchema & {
        readonly $defs?: Readonly<Record<string, JsonSchema>>
      }
      for (const [name, { id: _id, ...definition }] of Object.entries($defs)) components[name] = definition
      return own
    },
  }
}

const inDocument = (text: string) => text.replaceAll('"#/$defs/', '"#/components/schemas/')
