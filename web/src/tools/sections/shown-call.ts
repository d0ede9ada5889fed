import type { Json, ToolPart } from 'dragoman'
import { asFields, type CallPlace, type Fields, type SomeCall } from 'dragoman/client/work-log'

/** A tool call for its card: the input, and the output so far. */
export interface ShownCall extends SomeCall {
  readonly output: Json | undefined
  readonly error: string | undefined
}

/** The call in a part of a message. */
export function shownCall(part: ToolPart, { agent, cwd }: CallPlace): ShownCall {
  const input = part.input ?? ('rawInput' in part ? part.rawInput : undefined)
  return {
    tool: part.toolName,
    input: input,
    agent,
    cwd,
    output: 'output' in part ? part.output : undefined,
    error: 'errorText' in part ? part.errorText : undefined,
  }
}

/** An output and what agents wrap in it: structured fields, text, metadata. */
export function layersOf(output: Json | undefined): readonly Fields[] {
  const whole = asFields(output)
  const raw = asFields(whole['rawOutput'])
  const inside = [whole['structured'], whole['toolResponse'], whole['metadata'], raw as Json, raw['metadata']]
  return [whole, ...inside.map(asFields)]
}

/** The first match in any of the layers. */
export function firstIn<Value>(
  layers: readonly Fields[],
  look: (fields: Fields) => Value | undefined,
): Value | undefined {
  for (const fields of layers) {
    const found = look(fields)
    if (found !== undefined) return found
  }
  return undefined
}
