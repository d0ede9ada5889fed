import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { FilePart, FileSource } from '../conversation.ts'
import { images, isExact, isSecure } from '../file-source.ts'
import { fields, objectAt, textAt } from '../look.ts'
import { passagesOf } from './passages.ts'

/** The file that an image or document block holds; undefined for a source that is none, or blocks without words. */
export function hearFile(block: JsonObject, id: string): FilePart | undefined {
  const heard = heardSource(objectAt(block, 'source'))
  if (heard === undefined) return undefined
  const name = textAt(block, 'title')
  return {
    id,
    kind: 'file',
    mediaType: heard.mediaType ?? (block['type'] === 'image' ? 'image/*' : 'application/pdf'),
    source: heard.source,
    ...(name !== undefined && { name }),
  }
}

function heardSource(
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

/** A file as an image or document block; null when Anthropic takes no such file. */
export function sayFile({ mediaType, source, name }: FilePart): Json | null {
  const isImage = mediaType.startsWith('image/')
  const said = saidSource(source, mediaType)
  if (said === null) return null
  return isImage
    ? { type: 'image', source: said }
    : fields({ type: 'document', source: said, title: name === '' ? undefined : name })
}

function saidSource(source: FileSource, mediaType: string): Json | null {
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
