import { asObject, asList, type Json } from '../../protocol/json.ts'
import { textIn } from '../../protocol/tool-call/fields.ts'

/** What a tool gave, as text; empty where it gave none. */
export function textOfOutput(output: Json | undefined): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return textOfBlocks(output as readonly Json[])
  const fields = asObject(output)
  const text = textIn(fields, 'output', 'content', 'stdout', 'text', 'result')
  if (text !== undefined) return text
  const blocks = [...asList(fields['content']), ...asList(fields['contentItems'])]
  return textOfBlocks(blocks)
}

function textOfBlocks(blocks: readonly Json[]): string {
  const texts = blocks.flatMap(block => {
    const fields = asObject(block)
    const text = textIn(fields, 'text') ?? textIn(asObject(fields['content']), 'text')
    return text === undefined ? [] : [text]
  })
  return texts.join('\n')
}
