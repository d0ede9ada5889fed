import type { Op } from '../../kit/parts.ts'
import type { WholePart } from '../../kit/parts/op.ts'
import { objectOf, textOf, type JsonObject } from '../messages.ts'
import type { AcpState, Piece } from './state.ts'

/** Shows a content block that is not text. */
export function showBlock(state: AcpState, kind: Piece['kind'], block: JsonObject): Op {
  return { type: 'show', chunk: partOf(state, kind, block) }
}

function partOf(state: AcpState, kind: Piece['kind'], block: JsonObject): WholePart {
  const type = textOf(block['type']) ?? 'untyped'
  const thought = kind === 'thinking' ? { acp: { thought: true } } : null
  if (type === 'image' || type === 'audio') {
    const file = { type: 'file', url: urlOf(block), mediaType: mediaTypeOf(block) } as const
    return thought ? { ...file, providerMetadata: thought } : file
  }
  if (type === 'resource_link') return documentOf(state, block, block)
  if (type === 'resource') return documentOf(state, objectOf(block['resource']), block)
  const { agent } = state.parts.session
  return { type: 'data-unknown', data: { agent, kind: `content ${type}`, native: block } }
}

function urlOf(block: JsonObject): string {
  const data = textOf(block['data'])
  if (data !== undefined) return `data:${mediaTypeOf(block)};base64,${data}`
  return textOf(block['uri']) ?? ''
}

function mediaTypeOf(block: JsonObject): string {
  return textOf(block['mimeType']) ?? 'application/octet-stream'
}

/** A link to a resource, or the resource itself: clients know only its name, so the block is added. */
function documentOf({ pieces }: AcpState, resource: JsonObject, block: JsonObject): WholePart {
  const uri = textOf(resource['uri']) ?? `resource-${pieces}`
  const name = textOf(resource['name']) ?? uri.slice(uri.lastIndexOf('/') + 1)
  return {
    type: 'source-document',
    sourceId: uri,
    mediaType: mediaTypeOf(resource),
    title: textOf(resource['title']) ?? name,
    filename: name,
    providerMetadata: { acp: { content: block } },
  }
}
