import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { FilePart, FileSource } from '../conversation.ts'
import { images, isExact, isSecure } from '../file-source.ts'
import { fields, objectAt, textAt } from '../look.ts'
import { passagesOf } from './passages.ts'

/** The file of an image or document block; undefined for an unknown source, or blocks without text. */
export function parseFile(block: JsonObject, id: string): FilePart | undefined {
  const parsed = parseSource(objectAt(block, 'source'))
  if (parsed === undefined) return undefined
  const name = textAt(block, 'title')
  return {
    id,
    kind: 'file',
    mediaType: parsed.mediaType ?? (block['type'] === 'image' ? 'image/*' : 'application/pdf'),
    source: parsed.source,
    ...(name !== undefined && { name }),
  }
}

function parseSource(
  source: JsonObject,
): { readonly mediaType: string | undefined; readonly source: FileSource } | undefined {
  const mediaType = textAt(source, 'media_type')
  const data = textAt(source, 'data')
  const url = textAt(source, 'url')
  const reference = textAt(source, 'file_id')
  if (source['type'] === 'base64' && data !== undefined && mediaType !== undefined)
    return { mediaType, source: { data } }
  if (source['type'] === 'text' && data !== undefined)
    return { mediaType: mediaType ?? 'text/plain', source: { text: data } }
  const passages = source['type'] === 'content' ? passagesOf(source['content']) : undefined
  if (passages !== undefined) return { mediaType: 'text/plain', source: { text: passages } }
  if (source['type'] === 'url' && url !== undefined) return { mediaType: undefined, source: { url } }
  if (source['type'] === 'file' && reference !== undefined)
    return { mediaType: undefined, source: { reference, provider: 'anthropic' } }
  return undefined
}

/** A file as an image or document block; null when Anthropic does not accept such a file. */
export function serializeFile({ mediaType, source, name }: FilePart): Json | null {
  const isImage = mediaType.startsWith('image/')
  const written = serializeSource(source, mediaType)
  if (written === null) return null
  return isImage
    ? { type: 'image', source: written }
    : fields({ type: 'document', source: written, title: name === '' ? undefined : name })
}

function serializeSource(source: FileSource, mediaType: string): Json | null {
  const isImage = mediaType.startsWith('image/')
  if ('text' in source)
    return mediaType === 'text/plain' ? { type: 'text', media_type: mediaType, data: source.text } : null
  if ('reference' in source)
    return source.provider === 'anthropic' ? { type: 'file', file_id: source.reference } : null
  const isTaken = isImage ? images.test(mediaType) || !isExact(mediaType) : mediaType === 'application/pdf'
  if (!isTaken) return null
  if ('url' in source) return isSecure(source.url) ? { type: 'url', url: source.url } : null
  return isExact(mediaType) ? { type: 'base64', media_type: mediaType, data: source.data } : null
}
