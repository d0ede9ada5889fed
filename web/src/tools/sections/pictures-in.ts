import type { Json } from 'dragoman'
import { asFields, textIn, type Fields } from 'dragoman/client/work-log'
import type { Picture } from './section.ts'

/** Pictures of these kinds are only points of colour. */
const kinds = /^image\/(?:png|jpe?g|gif|webp|avif|bmp)$/
const most = 12

/** The pictures that are in an output itself. */
export function picturesIn(output: Json | undefined): readonly Picture[] {
  const found = new Map<string, Picture>()
  look(output ?? null, 0, found)
  return [...found.values()]
}

function look(value: Json, depth: number, found: Map<string, Picture>): void {
  if (typeof value !== 'object' || value === null || depth > 6 || found.size >= most) return
  const picture = pictureOf(asFields(value))
  if (picture !== null) found.set(picture.address, picture)
  else for (const each of Object.values(value)) look(each, depth + 1, found)
}

/** An image in the format of the Anthropic API, MCP and ACP, Claude Code, or OpenCode and the AI SDK. */
function pictureOf(fields: Fields): Picture | null {
  const source = asFields(fields['source'])
  const kind =
    textIn(source, 'media_type') ??
    textIn(fields, 'mimeType', 'mediaType', 'mime', 'media_type', 'type') ??
    ''
  const data = textIn(source, 'data') ?? textIn(fields, 'data', 'base64')
  const name = textIn(fields, 'filename', 'name', 'title') ?? 'Image from the tool'
  if (data !== undefined && kinds.test(kind) && /^[\w+/=\s-]+$/.test(data.slice(0, 200)))
    return { address: `data:${kind};base64,${data}`, name }
  const address = textIn(fields, 'url', 'image_url', 'imageUrl')
  const told = /^data:([^;,]+);base64,/.exec(address ?? '')?.[1]
  return address !== undefined && told !== undefined && kinds.test(told) ? { address, name } : null
}
