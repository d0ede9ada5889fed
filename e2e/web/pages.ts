import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The releases of the AI SDK that a page is made with: the first and the newest of both lines. */
export const releases = [
  { name: '6.0.0', react: 'ai-react-6-0-0', sdk: 'ai-6-0-0' },
  { name: '6.x', react: 'ai-react-6', sdk: 'ai6' },
  { name: '7.0.0', react: 'ai-react-7-0-0', sdk: 'ai-7-0-0' },
  { name: '7.x', react: 'ai-react-7', sdk: 'ai' },
] as const

/** Which exact version a release is. */
export const versionOf = (sdk: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules', sdk, 'package.json'), 'utf8')) as { version: string })
    .version

/** Bundles the page for one release. */
export async function buildPage(react: string, sdk: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { useChat } from '${react}'
import { DefaultChatTransport } from '${sdk}'
import { showChat } from './chat-page.tsx'
showChat({ useChat, Transport: DefaultChatTransport })`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}
