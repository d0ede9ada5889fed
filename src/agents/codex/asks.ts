import type { Json } from '../../protocol/json.ts'

const mark = '.ask-'

/** A name for a request of the app-server, which numbers requests from 0 on each connection. */
export function askName(request: Json): string {
  const text = typeof request === 'string' ? request : JSON.stringify(request)
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
}

/** The id of the approval that a request asks for. */
export function approvalOf(connection: string, request: Json): string {
  return `${connection}${mark}${askName(request)}`
}

/** The name of the request that an approval belongs to. */
export function askNameIn(approval: string): string {
  return approval.slice(approval.lastIndexOf(mark) + mark.length)
}
