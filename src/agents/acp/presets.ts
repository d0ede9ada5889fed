import type { Tested } from '../kit/readiness.ts'

/** How an agent with ACP is started, and how to install it. */
export interface Preset {
  /** Its display name. */
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Names of our own environment variables that it gets: its keys and the address of its model. */
  readonly inherit: readonly string[]
  readonly install: string
  /** The versions of its recordings, and versions that differ little from them. */
  readonly tested: Tested
}

/** What any program may need to reach the network. */
const network = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
]

/** Agents that were recorded and tested; any other works by naming its command. */
export const presets = {
  gemini: {
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    // Otherwise it starts itself a second time with more memory, which is not needed here.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    inherit: [
      ...network,
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      'GOOGLE_GEMINI_BASE_URL',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
    ],
    install: 'npm install --global @google/gemini-cli',
    tested: { from: '0.61.0', below: '0.62.0' },
  },
  claude: {
    title: 'Claude Code over ACP',
    command: 'claude-agent-acp',
    args: [],
    inherit: [
      ...network,
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_MODEL',
      'CLAUDE_CONFIG_DIR',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
      'MAX_THINKING_TOKENS',
    ],
    install: 'npm install --global @agentclientprotocol/claude-agent-acp',
    tested: { from: '0.99.0', below: '0.100.0' },
  },
  codex: {
    title: 'Codex over ACP',
    command: 'codex-acp',
    args: [],
    inherit: [
      ...network,
      'CODEX_HOME',
      'CODEX_API_KEY',
      'OPENAI_API_KEY',
      'MODEL_PROVIDER',
      'INITIAL_AGENT_MODE',
      'NO_BROWSER',
    ],
    install: 'npm install --global @agentclientprotocol/codex-acp',
    tested: { from: '2.6.0', below: '2.7.0' },
  },
  qwen: {
    title: 'Qwen Code',
    command: 'qwen',
    // By default a model decides what may run; here a person does.
    args: ['--acp', '--approval-mode', 'default'],
    inherit: [...network, 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'DASHSCOPE_API_KEY'],
    install: 'npm install --global @qwen-code/qwen-code',
    tested: { from: '0.24.0', below: '0.25.0' },
  },
  opencode: {
    title: 'OpenCode over ACP',
    command: 'opencode',
    args: ['acp'],
    inherit: [
      ...network,
      'OPENCODE_CONFIG',
      'OPENCODE_CONFIG_CONTENT',
      'OPENCODE_CONFIG_DIR',
      'OPENCODE_PERMISSION',
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
    ],
    install: 'npm install --global opencode-ai',
    tested: { from: '1.18.0', below: '1.20.0' },
  },
} as const satisfies Readonly<Record<string, Preset>>

/** The name of a preset. */
export type PresetName = keyof typeof presets

/** The names of all presets. */
export const presetNames = Object.keys(presets) as readonly PresetName[]
