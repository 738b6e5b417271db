/** Completion scripts for bash, zsh and fish, made from the table of commands. */
import {
  type Command,
  type CommandOption,
  type Completion,
  longFlag,
  shortFlag,
  takesValue,
} from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { CommandError, exitCodes } from './exit-code.ts';

const shells = { bash, zsh, fish } as const satisfies Record<string, () => string>;

export async function runCompletion([shell = '']: readonly string[]) {
  const script = Object.entries(shells).find(([name]) => name === shell)?.[1];
  if (script === undefined) {
    throw new CommandError(exitCodes.usage, `there is no completion for ${shell}: choose bash, zsh or fish.`);
  }
  process.stdout.write(script());
  return exitCodes.ok;
}

/** Command that lists the paths of ports, one a line, in every shell. */
const listPorts = 'wirebench ports --json 2>/dev/null | sed -n \'s/^ *"path": "\\(.*\\)",$/\\1/p\'';

/** Returns what the arguments of a command may be. A port may be left out, so that a file comes first. */
const completions = ({ arguments: given }: Command): readonly Completion[] => [
  ...new Set(given.map(({ completes }) => completes).filter((completes) => completes !== undefined)),
];

/** Words for an argument, whatever it is. */
function bashArguments(command: Command): string {
  const flags = completions(command).map((completes) =>
    completes === 'port' ? `-W "$(${listPorts})"` : completes === 'file' ? '-f' : `-W "${completes.join(' ')}"`,
  );
  const calls = flags.map((flag) => `$(compgen ${flag} -- "$word")`);
  return `COMPREPLY=(${calls.join(' ')})`;
}

function bashWords(completes: Completion | undefined): string {
  switch (completes) {
    case 'port':
      return `COMPREPLY=($(compgen -W "$(${listPorts})" -- "$word"))`;
    case 'file':
      return 'COMPREPLY=($(compgen -f -- "$word"))';
    case undefined:
      return 'COMPREPLY=()';
    default:
      return `COMPREPLY=($(compgen -W "${completes.join(' ')}" -- "$word"))`;
  }
}

function bash(): string {
  const flagsOf = (option: CommandOption) => [shortFlag(option), longFlag(option)].filter((flag) => flag !== null);
  const cases = commands.map((command) => {
    const values = command.options
      .filter(takesValue)
      .map((option) => `      ${flagsOf(option).join('|')}) ${bashWords(option.completes)}; return ;;`);
    const flags = command.options.flatMap(flagsOf).join(' ');
    return [
      `    ${command.name})`,
      '      case "$before" in',
      ...values.map((line) => `  ${line}`),
      '      esac',
      `      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "${flags} --help" -- "$word")); return; fi`,
      `      ${bashArguments(command)} ;;`,
    ].join('\n');
  });
  return `# Completion of wirebench for bash.
_wirebench() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
    help) COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word")) ;;
${cases.join('\n')}
  esac
}
complete -F _wirebench wirebench
`;
}

/** Writes a text for single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function zshValue(completes: Completion | undefined): string {
  switch (completes) {
    case 'port':
      return '_wirebench_ports';
    case 'file':
      return '_files';
    case undefined:
      return ' ';
    default:
      return `(${completes.join(' ')})`;
  }
}

function zsh(): string {
  const plain = (text: string) => text.replaceAll(/[[\]:\\]/g, (character) => `\\${character}`);
  const cases = commands.map((command) => {
    const options = command.options.flatMap((option) =>
      [shortFlag(option), longFlag(option)]
        .filter((flag) => flag !== null)
        .map((flag) => {
          const value = takesValue(option) ? `:value:${zshValue(option.completes)}` : '';
          return quoted(`${flag}[${plain(option.text)}]${value}`);
        }),
    );
    const [first] = command.arguments;
    const kinds = completions(command);
    const actions = kinds.map((completes) =>
      typeof completes === 'string' ? zshValue(completes) : `compadd -- ${completes.join(' ')}`,
    );
    const action = kinds.length > 1 ? `{${actions.join('; ')}}` : zshValue(kinds[0]);
    const rest = first === undefined ? [] : [quoted(`*:${plain(first.text)}:${action}`)];
    return `    ${command.name}) _arguments ${[...options, ...rest].join(' ')} ;;`;
  });
  return `#compdef wirebench
# Completion of wirebench for zsh.
_wirebench_ports() { compadd -- \${(f)"$(${listPorts})"} }
_wirebench() {
  if (( CURRENT == 2 )); then
    local -a names=(${commands.map(({ name, summary }) => quoted(`${name}:${plain(summary)}`)).join(' ')})
    _describe command names
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join('\n')}
  esac
}
compdef _wirebench wirebench
`;
}

function fishValue(completes: Completion | undefined): string {
  switch (completes) {
    case 'port':
      return ` -a ${quoted(`(${listPorts.replaceAll('\\', '\\\\')})`)}`;
    case 'file':
      return ' -F';
    case undefined:
      return '';
    default:
      return ` -a ${quoted(completes.join(' '))}`;
  }
}

function fish(): string {
  const lines = commands.flatMap((command) => {
    const when = `complete -c wirebench -n '__fish_seen_subcommand_from ${command.name}'`;
    const options = command.options.map((option) => {
      const short = shortFlag(option);
      const names = `${short === null ? '' : ` -s ${short.slice(1)}`} -l ${longFlag(option).slice(2)}`;
      const value = takesValue(option) ? ` -x${fishValue(option.completes)}` : '';
      return `${when}${names}${value} -d ${quoted(option.text)}`;
    });
    return [
      `complete -c wirebench -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
      ...options,
      ...completions(command).map((completes) => `${when}${fishValue(completes)}`),
    ];
  });
  return ['# Completion of wirebench for fish.', 'complete -c wirebench -f', ...lines, ''].join('\n');
}
