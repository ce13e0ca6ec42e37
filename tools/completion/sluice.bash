# _sluice_program INDEX: completes a program and its arguments, which begin at that word.
_sluice_program() {
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "$1"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}

_sluice_wants_files() { [[ -n $files_after && $given == *" $files_after "* ]]; }
_sluice_wants_program() { [[ $kind == command ]] && ! _sluice_wants_files; }

# Readline itself completes the name of a file where COMPREPLY stays empty. It knows all quoting.
_sluice_offer() {
  ! _sluice_wants_files || kind=file
  case $kind in
    file) ;;
    folder) compopt +o bashdefault +o default -o dirnames ;;
    *) compopt +o bashdefault +o default ;;
  esac
  [[ $kind != words ]] || mapfile -t COMPREPLY < <(compgen -W "$offers" -- "$current")
}

# Without a word to go by, the options are offered and not every program of the machine.
_sluice_wants_option() {
  [[ -z $options_ended ]] || return
  [[ $current == -* ]] || { [[ -z $current ]] && _sluice_wants_program; }
}

# _sluice_optional_value COMMAND: completes a value that can be left out. It stands behind '=' and
# never in the next word. Readline takes --compress=series:double for five words.
_sluice_optional_value() {
  local line=${COMP_LINE:0:COMP_POINT}
  local last=${line##* }
  [[ $last == --*=* ]] || return
  _sluice_value "$1 ${last%%=*}="
  [[ -n $kind ]] || return
  current=${last#*=}
  _sluice_offer
  COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
}

_sluice() {
  local current=${COMP_WORDS[COMP_CWORD]} command="" option="" given=" " options_ended=""
  local kind="" offers="" files_after="" most=1 arguments=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ -n $option ]]; then
      [[ $word == = ]] || option="" # readline takes --dir=X for three words
    elif [[ -z $options_ended && $word == -- ]]; then
      options_ended=yes
    elif [[ -z $options_ended && $word == -* ]]; then
      given+="$word "
      _sluice_value "$command $word"
      [[ -z $kind ]] || option=$word
    elif [[ -z $options_ended && $word == = && ${COMP_WORDS[i - 1]} == --* ]]; then
      ((++i)) # the value, which may have a colon
      [[ ${COMP_WORDS[i + 1]} != : ]] || ((i += 2))
    elif [[ -z $command ]]; then
      command=$word
    else
      given+="$word "
      _sluice_value "$command"
      ! _sluice_wants_program || { _sluice_program "$i" && return; }
      ((++arguments))
    fi
  done
  [[ -n $options_ended ]] || ! _sluice_optional_value "$command" || return 0
  [[ $current != = ]] || current=""

  _sluice_value "$command${option:+ $option}"
  ((arguments < most)) || kind=text
  if [[ -n $option ]]; then
    _sluice_offer
  elif _sluice_wants_option; then
    _sluice_options "$command"
    kind=words files_after=""
    _sluice_offer
  elif _sluice_wants_program; then
    _sluice_program "$COMP_CWORD"
  else
    _sluice_offer
  fi
}

complete -o bashdefault -o default -F _sluice sluice
