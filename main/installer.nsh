# What electron-builder's script of the Windows installer leaves out; both macros are hooks of its own.
# test/desktop/installer.test.ts compiles the whole script and reads what it writes.

!macro customInstall
  # Its own command lacks the quotation marks around the program: for C:\Users\Jo Doe\... Windows would try C:\Users\Jo.exe first.
  WriteRegStr SHELL_CONTEXT "Software\Classes\Framewright.Template\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Framewright.Shared\shell\open\command" "" '"$appExe" "%1"'

  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright" "" "URL:Framewright link"
  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\framewright\shell\open\command" "" '"$appExe" "%1"'
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\framewright"
    # Another program may have taken over the files since.
    ReadRegStr $R0 SHELL_CONTEXT "Software\Classes\.renderscript" ""
    ${if} $R0 == "Framewright.Template"
      DeleteRegValue SHELL_CONTEXT "Software\Classes\.renderscript" ""
    ${endIf}
    ReadRegStr $R0 SHELL_CONTEXT "Software\Classes\.framewright" ""
    ${if} $R0 == "Framewright.Shared"
      DeleteRegValue SHELL_CONTEXT "Software\Classes\.framewright" ""
    ${endIf}
  ${endIf}
!macroend
