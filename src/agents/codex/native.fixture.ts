import { asObject, listOf, numberOf, objectOf, textOf, type Fields } from '../kit/fields.ts'

/** Items that were completed, of the app-server or of exec. */
export const completedIn = (native: readonly Fields[]): readonly Fields[] =>
  native.flatMap(line => {
    if (line['method'] === 'item/completed') return [objectOf(objectOf(line, 'params'), 'item')]
    return line['type'] === 'item.completed' ? [objectOf(line, 'item')] : []
  })

/** Whether an item is a tool call. */
export const isTool = (item: Fields): boolean =>
  /Execution$|_execution$|Call$|_call$|^fileChange$|^file_change$/.test(textOf(item, 'type'))

/** Whether a call succeeded. */
export const wasDone = (item: Fields): boolean => item['status'] === 'completed'

/** The texts of a recording: of completed items their final text, of the others their deltas. */
export function saidIn(native: readonly Fields[], types: readonly string[]): readonly string[] {
  const open = new Map<string, string>()
  const texts: string[] = []
  for (const line of native) {
    const method = textOf(line, 'method') || textOf(line, 'type').replace('.', '/')
    const params = 'item' in line ? line : objectOf(line, 'params')
    const item = objectOf(params, 'item')
    const isOurs = types.includes(textOf(item, 'type'))
    const id = `${textOf(params, 'threadId')} ${textOf(item, 'id')}${textOf(params, 'itemId')}`
    const before = open.get(id)
    if (method === 'item/started' && isOurs) open.set(id, '')
    if (method.endsWith('elta') && before !== undefined) open.set(id, before + textOf(params, 'delta'))
    if (method === 'item/completed' && isOurs) {
      open.delete(id)
      texts.push(
        textOf(item, 'text'),
        ...(listOf(item, 'summary') as string[]),
        ...(listOf(item, 'content') as string[]),
      )
    }
    if (method === 'error' && params['willRetry'] === true) open.clear()
  }
  return [...texts, ...open.values()].filter(text => text !== '')
}

/** How much the totals of all threads grew during the turns of this recording. */
export function grownIn(native: readonly Fields[]) {
  const before = new Map<string, Fields>()
  const after = new Map<string, Fields>()
  const turns = new Set<string>()
  for (const line of native) {
    const params = objectOf(line, 'params')
    if (line['type'] === 'turn.completed') after.set('exec', sumsOf(objectOf(line, 'usage')))
    if (line['method'] === 'turn/started') turns.add(textOf(objectOf(params, 'turn'), 'id'))
    if (line['method'] !== 'thread/tokenUsage/updated') continue
    const thread = textOf(params, 'threadId')
    const { total, last } = objectOf(params, 'tokenUsage')
    const isOurs = turns.has(textOf(params, 'turnId'))
    if (!isOurs) before.set(thread, asObject(total))
    // A fork continues with the totals of the thread that it copies.
    else if (!before.has(thread)) before.set(thread, less(asObject(total), asObject(last)))
    if (isOurs) after.set(thread, asObject(total))
  }
  const grown = (name: string) =>
    [...after].reduce((sum, [id, total]) => sum + numberOf(less(total, before.get(id) ?? {}), name), 0)
  return {
    inputTokens: grown('inputTokens'),
    cachedInputTokens: grown('cachedInputTokens'),
    outputTokens: grown('outputTokens'),
  }
}

/** The totals of a thread, as exec reports them. */
const sumsOf = (usage: Fields): Fields => ({
  inputTokens: numberOf(usage, 'input_tokens'),
  cachedInputTokens: numberOf(usage, 'cached_input_tokens'),
  outputTokens: numberOf(usage, 'output_tokens'),
})

const less = (total: Fields, part: Fields): Fields =>
  Object.fromEntries(Object.keys(total).map(name => [name, numberOf(total, name) - numberOf(part, name)]))
