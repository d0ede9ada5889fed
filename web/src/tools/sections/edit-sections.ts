import { asFields, asList, pathsNamed, textOfOutput } from 'dragoman/client/work-log'
import { isOnlyWell, restOf } from './rest.ts'
import type { Section } from './section.ts'
import type { ShownCall } from './shown-call.ts'

/** The sections of an edit: the diff, and other output. */
export function editSections(call: ShownCall): readonly Section[] {
  const text = textOfOutput(call.output)
  const isWords = text !== '' && asList(asFields(call.output)['content']).length === 0
  return [
    { kind: 'diff', call },
    ...(typeof call.input === 'string' ? [] : restOf(call.input, namesShown(call))),
    ...(isWords && !isOnlyWell(text) ? restOf({ Result: text }, []) : []),
  ]
}

const compared =
  /^(?:old|new)(?:_?str(?:ing)?|_?text|_source)?$|^(?:patch(?:_?text)?|diff|file_text|content|text|edits|changes)$/i

/** Fields that the diff already shows, or that add nothing. */
function namesShown(call: ShownCall): readonly string[] {
  const [path] = pathsNamed(call)
  return Object.entries(asFields(call.input)).flatMap(([name, value]) =>
    compared.test(name) || value === false || (path !== undefined && value === path) ? [name] : [],
  )
}
