import { paths } from '../protocol/api/paths.ts'
import { DragomanError } from '../protocol/error.ts'
import { appPlaces } from './page/page.ts'

const known = [...Object.values(paths), ...appPlaces.map(place => `GET ${place.replace('*', ':rest')}`)].map(
  text => {
    const [method = '', path = ''] = text.split(' ')
    return { method, segments: path.split('/') }
  },
)

/** The error for an unknown path, or for a known path with the wrong method. */
export function unknownPath(method: string, path: string): DragomanError {
  const parts = path.split('/')
  const allow = known.filter(({ segments }) => fits(parts, segments)).map(each => each.method)
  const [name, place] = [method, path].map(text => text.slice(0, 100))
  if (allow.length === 0)
    return new DragomanError(
      'unknown-path',
      `There is nothing at ${JSON.stringify(place)}. See /api/openapi.json for all paths.`,
    )
  const message = `The path ${JSON.stringify(place)} does not support ${name}. Use ${allow.join(' or ')}.`
  return new DragomanError('wrong-method', message, { allow })
}

const fits = (parts: readonly string[], segments: readonly string[]): boolean =>
  parts.length === segments.length &&
  segments.every((segment, at) => (segment.startsWith(':') ? parts[at] !== '' : parts[at] === segment))
