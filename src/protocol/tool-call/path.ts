import { asObject, asList } from '../json.ts'
import type { SomeCall } from './call.ts'
import { textIn } from './fields.ts'

const pathNames = [
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'notebook_path',
  'dir_path',
  'target_file',
]

/** The paths that a call names, as it names them. */
export function pathsNamed({ input }: Pick<SomeCall, 'input'>): readonly string[] {
  const fields = asObject(input)
  const one = textIn(fields, ...pathNames)
  if (one !== undefined) return [one]
  const several = [...asList(fields['paths']), ...asList(fields['include'])].filter(
    path => typeof path === 'string',
  )
  if (several.length > 0) return several
  // The title of a call, for an ACP agent that does not report its input.
  const places = asList(fields['locations']).map(place => textIn(asObject(place), 'path'))
  return [...new Set(places.filter(path => path !== undefined))]
}

/** A path in one spelling: from the root where the folder is known, without `.`, `..` and doubled slashes. */
export function fullPath(path: string, cwd: string | null | undefined): string {
  const slashed = path.replace(/^file:\/\//, '').replaceAll('\\', '/')
  const isFull = slashed.startsWith('/') || /^[A-Za-z]:\//.test(slashed)
  const whole =
    isFull || cwd === null || cwd === undefined ? slashed : `${cwd.replaceAll('\\', '/')}/${slashed}`
  const kept: string[] = []
  for (const piece of whole.split('/')) {
    if (piece === '' || piece === '.') continue
    if (piece === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (piece !== '..' || !whole.startsWith('/')) kept.push(piece)
  }
  return `${whole.startsWith('/') ? '/' : ''}${kept.join('/')}`
}
