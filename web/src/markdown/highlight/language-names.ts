/** The highlighted languages, by their common names. */
const titles = {
  bash: 'Shell',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  docker: 'Dockerfile',
  go: 'Go',
  html: 'HTML',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  jsonc: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  make: 'Makefile',
  markdown: 'Markdown',
  php: 'PHP',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
} as const

/** A language that is coloured. */
export type Language = keyof typeof titles

const otherNames: Readonly<Record<string, Language>> = {
  'c++': 'cpp',
  'c#': 'csharp',
  cc: 'cpp',
  cjs: 'javascript',
  conf: 'ini',
  console: 'bash',
  cs: 'csharp',
  cts: 'typescript',
  cxx: 'cpp',
  dockerfile: 'docker',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  htm: 'html',
  js: 'javascript',
  json5: 'jsonc',
  jsonl: 'json',
  kt: 'kotlin',
  kts: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  properties: 'ini',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  shellscript: 'bash',
  svg: 'xml',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
}

/** The language for a fence or file extension; undefined where it is not highlighted. */
export function languageOf(written: string | undefined): Language | undefined {
  const name = /^[^\s{,:]+/.exec(written?.trim() ?? '')?.[0].toLowerCase() ?? ''
  if (Object.hasOwn(titles, name)) return name as Language
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
}

/** How a language is called. */
export const titleOf = (language: Language): string => titles[language]
