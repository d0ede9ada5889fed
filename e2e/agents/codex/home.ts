import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The home folder of Codex in one scenario. */
export interface CodexHome extends Disposable {
  readonly cwd: string
  readonly dataFolder: string
  /** The whole environment that Codex is started with. */
  readonly env: Readonly<Record<string, string>>
}

/** Gives Codex a home, a configuration with only the fake model, and our process an environment without anything else. */
export function createCodexHome(root: string, modelUrl: string, more = ''): CodexHome {
  const made = makeCodexHome(root, modelUrl, more)
  const kept = { DRAGOMAN_CODEX: process.env['DRAGOMAN_CODEX'] ?? 'codex' }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, kept, made.env)
  return made
}

/** Makes a home for Codex, and does not change our own environment. */
export function makeCodexHome(root: string, modelUrl: string, more = '', isOlder = false): CodexHome {
  const folder = mkdtempSync(join(root, 'codex-'))
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
  const codexHome = inside('home/.codex')
  const catalogue = join(folder, 'models.json')
  writeFileSync(catalogue, JSON.stringify({ models: [model] }))
  writeFileSync(join(codexHome, 'config.toml'), configuration(modelUrl, catalogue, more, isOlder))
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    CODEX_HOME: codexHome,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    OPENAI_API_KEY: 'dummy',
  }
  return { cwd, dataFolder, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Switches off everything that calls the network, except the fake model. */
function configuration(modelUrl: string, catalogue: string, more: string, isOlder: boolean): string {
  const off = ['apps', 'plugins', 'remote_plugin', 'shell_snapshot']
  // The older release does not know this one, and warns of it in every session.
  if (!isOlder) off.push('plugin_discovery_prefetch')
  return `
model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
web_search = "disabled"
model_reasoning_summary = "auto"
model_catalog_json = "${catalogue}"
[model_providers.fake]
name = "Fake"
base_url = "${modelUrl}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 1
stream_idle_timeout_ms = 20000
supports_websockets = false
[analytics]
enabled = false
[feedback]
enabled = false
[skills.bundled]
enabled = false
[tools.update_plan]
enabled = true
[features]
image_generation = false
${off.map(name => `${name} = false`).join('\n')}
${more}
`
}

/** The settings of a model that Codex does not know. */
const model = {
  slug: 'fake-model',
  display_name: 'Fake model',
  description: 'says what a script tells it to',
  visibility: 'list',
  supported_in_api: true,
  priority: 1,
  base_instructions: 'Follow the script.',
  default_reasoning_level: 'medium',
  supported_reasoning_levels: [{ effort: 'medium', description: 'medium' }],
  default_reasoning_summary: 'auto',
  shell_type: 'unified_exec',
  apply_patch_tool_type: 'freeform',
  web_search_tool_type: 'text',
  support_verbosity: false,
  supports_image_detail_original: false,
  supports_search_tool: false,
  include_skills_usage_instructions: false,
  truncation_policy: { mode: 'tokens', limit: 10_000 },
  context_window: 200_000,
  max_context_window: 200_000,
  effective_context_window_percent: 95,
  experimental_supported_tools: [],
  input_modalities: ['text', 'image'],
}
