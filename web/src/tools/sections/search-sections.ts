import type { Json } from 'dragoman'
import { asFields, asList, pathsNamed, textIn, textOfOutput } from 'dragoman/client/work-log'
import { filesOf, hitsOf } from './hits-of.ts'
import { outputAs, restOf } from './rest.ts'
import type { Section } from './section.ts'
import { firstIn, layersOf, type ShownCall } from './shown-call.ts'

/** What a search in files found, by file. */
export function searchSections(call: ShownCall): readonly Section[] {
  const text = textOfOutput(call.output)
  if (text === '') return [...restOf(call.input, []), ...outputAs('text', 'Result', '', call.output)]
  const [path] = pathsNamed(call)
  const isFile = path !== undefined && /\.\w+$/.test(path)
  const mode = textIn(asFields(call.input), 'output_mode') ?? modeOf(call)
  const groups = mode === 'files_with_matches' ? filesOf(text) : hitsOf(text, isFile ? path : null)
  return [{ kind: 'hits', groups }, ...restOf(call.input, [])]
}

const modeOf = (call: ShownCall) => firstIn(layersOf(call.output), layer => textIn(layer, 'mode'))

/** The content of a folder. */
export function listSections(call: ShownCall): readonly Section[] {
  const text = textOfOutput(call.output)
  if (text === '') return [...restOf(call.input, []), ...outputAs('text', 'Result', '', call.output)]
  return [{ kind: 'hits', groups: filesOf(text) }, ...restOf(call.input, [])]
}

/** Web search results: the pages, and their descriptions. */
export function webSearchSections(call: ShownCall): readonly Section[] {
  const text = textOfOutput(call.output)
  const [, listed] = /^Links: (\[.*\])$/m.exec(text) ?? []
  const links = [
    ...linksIn(parsed(listed)),
    ...layersOf(call.output).flatMap(layer => linksIn(layer['results'])),
  ]
  const unique = [...new Map(links.map(link => [link.address, link])).values()]
  const words = listed === undefined ? text : text.replace(`Links: ${listed}`, '')
  return [
    ...restOf(call.input, []),
    ...(unique.length > 0 ? [{ kind: 'links', links: unique } as const] : []),
    ...outputAs('markdown', 'Answer', words, unique.length > 0 ? undefined : call.output),
  ]
}

function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    // Cut short, as long results are: then the text itself is shown.
    return undefined
  }
}

function linksIn(
  value: Json | undefined,
  depth = 0,
): readonly { readonly title: string; readonly address: string }[] {
  return asList(value).flatMap(each => {
    const fields = asFields(each)
    const address = textIn(fields, 'url', 'link', 'uri')
    if (address !== undefined) return [{ title: textIn(fields, 'title', 'name') ?? address, address }]
    return depth < 3 ? linksIn(fields['content'], depth + 1) : []
  })
}
