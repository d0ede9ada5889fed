import * as z from 'zod/mini'
import { contextPartSchema, manipulationSchema } from '../../protocol/api/context-replies.ts'
import * as shapes from '../../protocol/api/replies.ts'
import { promptPartSchema } from '../../protocol/command.ts'

/** A JSON schema, as far as we look into it. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly [key: string]: unknown
}

const named = z.registry<{ readonly id: string }>()
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

/** Turns zod schemas into JSON schemas, and gathers those that have a name. */
export interface Schemas {
  schema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema
  readonly components: Readonly<Record<string, JsonSchema>>
}

/** An empty gathering. */
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
      for (const [name, { id: _id, ...definition }] of Object.entries($defs))
        components[documentName(name)] = definition
      return own
    },
  }
}

/** The only shape that zod names by itself is that of any JSON, because it contains itself. */
const documentName = (name: string) => (name.startsWith('__schema') ? 'Json' : name)

const inDocument = (text: string) =>
  text.replaceAll(/"#\/\$defs\/(\w+)"/g, (_, name: string) => `"#/components/schemas/${documentName(name)}"`)
