# Completes the arguments of a program. `words` may still have the -- before the program.
_sluice_program() {
  while [[ $words[1] == -- ]]; do
    shift words
    ((CURRENT--))
  done
  _normal
}

# _sluice_files_after WORD: if WORD was given, all further words are files.
_sluice_files_after() {
  ((${words[(I)$1]})) && specifications+=('*:FILE:_files')
}

_sluice() {
  local curcontext=$curcontext state line
  local -a specifications
  typeset -A opt_args
  _sluice_specify ''
  _arguments -C $specifications '(-)1: :_sluice_commands' '*:: :->arguments' && return
  [[ $state == arguments ]] || return 1
  specifications=()
  _sluice_specify $words[1]
  _arguments -S $specifications
}

# The shell reads this text as the body of a function of its own, or by `source`.
if [[ $funcstack[1] == _sluice ]]; then
  _sluice "$@"
else
  compdef _sluice sluice
fi
