import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../src/protocol/json.ts'

/** The home folder of OpenCode. */
export interface OpenCodeHome extends Disposable {
  readonly cwd: string
  readonly dataFolder: string
  /** The whole environment that OpenCode is started with. */
  readonly env: Readonly<Record<string, string>>
}

/** Gives OpenCode a home, a configuration with only the fake model, and our process an environment without anything else. */
export function createOpenCodeHome(root: string, modelUrl: string): OpenCodeHome {
  const made = makeOpenCodeHome(root, modelUrl)
  const kept = { DRAGOMAN_OPENCODE: process.env['DRAGOMAN_OPENCODE'] ?? 'opencode' }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, kept, made.env)
  return made
}

/** Makes a home for OpenCode, and does not change our own environment. */
export function makeOpenCodeHome(root: string, modelUrl: string): OpenCodeHome {
  const folder = mkdtempSync(join(root, 'opencode-'))
  const inside = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const [home, cwd, temporary, dataFolder] = ['home', 'work', 'tmp', 'data'].map(inside) as [
    string,
    string,
    string,
    string,
  ]
  // Without this, OpenCode installs its plugin package from the network.
  const settings = inside('home/.config/opencode')
  inside('home/.config/opencode/node_modules')
  const lock = { packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } } }
  writeFileSync(join(settings, 'package-lock.json'), JSON.stringify(lock))
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(modelUrl)),
    ...Object.fromEntries(off.map(name => [`OPENCODE_DISABLE_${name}`, '1'])),
  }
  return { cwd, dataFolder, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

const off = [
  'AUTOUPDATE',
  'CLAUDE_CODE',
  'DEFAULT_PLUGINS',
  'EXTERNAL_SKILLS',
  'LSP_DOWNLOAD',
  'MODELS_FETCH',
  'PROJECT_CONFIG',
  'SHARE',
]

/** Calls nothing on the network but the fake model. */
function configuration(modelUrl: string): Json {
  return {
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    enabled_providers: ['fake'],
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    permission: { '*': 'allow' },
    provider: {
      fake: {
        npm: '@ai-sdk/openai',
        name: 'Fake',
        options: { baseURL: modelUrl, apiKey: 'dummy' },
        models: { 'fake-model': model },
      },
    },
  }
}

const model = {
  name: 'Fake model',
  reasoning: true,
  tool_call: true,
  attachment: true,
  limit: { context: 200_000, output: 8_192 },
  modalities: { input: ['text', 'image'], output: ['text'] },
  cost: { input: 1, output: 2, cache_read: 0.1, cache_write: 0 },
}
