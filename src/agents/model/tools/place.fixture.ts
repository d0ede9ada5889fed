import type { Json } from '../../../protocol/json.ts'
import { readSettings } from '../settings.ts'
import { newFolder } from '../harness.fixture.ts'
import { allTools } from './index.ts'
import type { ToolName } from './names.ts'
import type { ToolPlace } from './tool.ts'

/** A place where tools run, and what they showed there. */
export interface Bench extends ToolPlace {
  readonly shown: string[]
  use(name: ToolName, input: Json): Promise<Json>
}

/** Makes a place in a new folder. */
export async function createBench(
  more: Partial<ToolPlace> = {},
  options: Record<string, Json> = {},
): Promise<Bench> {
  const shown: string[] = []
  const settings = readSettings({
    provider: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/v1',
    model: 'm',
    ...options,
  })
  const bench: Bench = {
    cwd: await newFolder(),
    dataFolder: await newFolder(),
    settings,
    call: 'c',
    signal: new AbortController().signal,
    shown,
    progress: async text => void shown.push(text),
    showTodos: async () => undefined,
    askPerson: () => Promise.reject(new Error('Nobody is here.')),
    recall: async () => null,
    delegate: () => Promise.reject(new Error('Nobody is here.')),
    use(name, input) {
      const tool = allTools.find(each => each.name === name)
      if (tool === undefined) throw new Error(name)
      return tool.run(input as never, bench)
    },
    ...more,
  }
  return bench
}
