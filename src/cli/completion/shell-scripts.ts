/** Scripts that teach a shell to complete. They ask `rampart complete` with the words so far, the last one unfinished. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const shellScripts: Readonly<Record<Shell, string>> = {
  bash: `# rampart completion for bash: source <(rampart completion bash)
_rampart() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$(printf '%q' "$candidate")")
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _rampart rampart
`,
  zsh: `#compdef rampart
# rampart completion for zsh: source <(rampart completion zsh)
_rampart() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then
    compadd -- "\${candidates[@]}"
  else
    _files
  fi
}
compdef _rampart rampart
`,
  fish: `# rampart completion for fish: rampart completion fish | source
function __rampart_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] complete -- $words[2..-1] 2>/dev/null
end
complete -c rampart -a '(__rampart_complete)'
`,
};
