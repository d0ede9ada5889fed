import { textOfOutput as shownText } from '../../projections/work-log/text-of-output.ts'
import { asObject, isObject, type Json } from '../../protocol/json.ts'
import { textIn } from '../../protocol/tool-call/fields.ts'
import { textOfJson } from './text-of-json.ts'

/**
 * The text of a tool's output. Many agents add the same output in pieces, or the whole file before an edit: if there
 * is a text that the agent reads, only that is indexed.
 */
export function textOfOutput(output: Json): string {
  if (!isObject(output)) return textOfJson(output)
  const shown = shownText(output)
  if (shown === '') return textOfJson(output)
  const errors = textIn(asObject(output), 'stderr')
  const text = errors === undefined || shown.includes(errors) ? shown : `${shown}\n${errors}`
  return textOfJson(text)
}
