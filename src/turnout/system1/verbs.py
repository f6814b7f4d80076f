"""Words with which a request begins, as tables by language."""

from typing import Final

from turnout.model.utterance.words import word_set

REQUESTING: Final = (
    "add|archive|ask|book|buy|call|cancel|change|check|clear|close|compare|convert|copy|create|deactivate|delete|deploy"
    "|describe|disable|download|draft|edit|email|enable|explain|export|fetch|find|generate|get|give|help|import|install"
    "|let|list|log|look|make|move|notify|open|order|pay|play|post|print|purge|read|refund|reload|remind|remove|rename"
    "|reply|reset|restart|run|save|schedule|search|send|set|share|show|start|stop|summari[sz]e|tell|translate|turn"
    "|update|upload|write"
)
"""The alternatives of a pattern: verbs that begin another request wherever they follow a joint."""

_MORE: Final = word_set("""
    accept activate adjust allow announce apply approve arrange assign attach authorize authorise back ban begin bill
    block boost bring brighten broadcast bump calculate charge checkout collect combine commit compose confirm connect
    count credit cut debit decline decrease dim dispatch display divert double drop duplicate empty end enroll enrol
    erase escalate extend file fill fix flag flip forecast forward free freeze go grab grant halve hand hang hire hold
    include increase initiate insert invite invoice issue join keep kick kill launch leave lend lift link load locate
    lock lower mail mark merge message mute name note nudge offer page park patch pause permit ping pick place plan plug
    postpone prepare process promote provide provision publish pull push put queue raise rate reactivate rebook reboot
    recall recharge record redeploy redirect reduce register reject release renew reopen repeat replace report request
    rerun resend reserve reschedule resize resolve restore resume retry return revert revoke ring roll rotate scale scan
    send shift ship shorten shut sign silence skip snooze sort split spin submit subscribe subtract suspend swap switch
    sync tag take text top track transfer trigger trim turn unassign unblock undo unfreeze uninstall unlock unmute
    unpause unsubscribe upgrade use vacuum verify void wake warm water wire withdraw wipe
    admit advance allocate allowlist anonymise anonymize answer arm assess audit bake blacklist blocklist boil
    bookmark boot brew budget cap carry cc certify chart chase chill claim clean clone comment complete conclude
    continue cook cool cordon decommission decrypt dedupe defer defrost delay delist deliver demote deny deposit
    deprovision detach dial disarm discharge discount dismiss dm downgrade drain draw drive dust eject encrypt
    enter exchange expense fax feed finish fire flush fork format heat hibernate hide highlight hook ignore
    index inspect install isolate jot key lease limit map mask measure migrate mop mount narrow navigate
    offboard onboard overwrite pack paint pass pin plot populate preheat prescribe price prolong prune
    quarantine quote reassign rebase rebuild recalculate recompute reconcile recover recreate redact redo refer
    regenerate reimburse reimport reindex reinstall relabel relaunch remake render rent repair reprint
    reprioritize reroute reshuffle resubmit resync retest retire review route seal seat sell serve service
    settle shuffle sleep slide snapshot spawn squash stage stamp star sweep teach test throttle tidy trace trade
    train type unfollow unhide unmount unpin unplug unpublish vaccinate validate waitlist wash weigh whitelist
    widen do
    amend append ditch divert expedite inform modify nullify reallocate rearrange rectify replenish rescind restock
    retract revise slash squeeze stick supply terminate transcribe tweak vacate waive""")
_READING: Final = word_set("""
    show list get find check display see view search fetch give read report count tell look lookup browse query retrieve
    track locate compare inspect print what which when where who how is are does get calculate watch monitor
    status returns balance
    zeige zeig liste finde suche prüfe gib sag montre affiche liste trouve cherche vérifie donne dis muestra
    muéstrame lista busca encuentra dame dime consulta mostra mostrami elenca cerca trova controlla dammi dimmi""")
"""Verbs of actions that only look something up."""

_GERMAN: Final = word_set("""
    starte start stoppe stopp schick schicke sende send buch buche lösch lösche erstell erstelle zeig zeige stell stelle
    mach mache ändere ändre storniere storno öffne schließ schließe verschieb verschiebe trag trage setz setze gib sag
    sage such suche finde überweis überweise bestell bestelle kündige sperr sperre reservier reserviere meld melde leg
    lege füg füge nimm erinner erinnere dreh drehe schalt schalte bring hol hole prüf prüfe liste druck drucke bezahl
    bezahle entsperr entsperre genehmige lehne verlänger verlängere aktualisiere lies ruf rufe plane entferne rechne
    exportiere skaliere deploye verschick verschicke mahne erhöhe senke teile lade beantrage fahr fahre rolle""")
_FRENCH: Final = word_set("""
    envoie envoies envoyez envoyer redémarre redémarrez redémarrer réserve réservez réserver annule annulez annuler crée
    créez créer montre montrez affiche affichez afficher supprime supprimez supprimer change changez changer mets mettez
    ouvre ouvrez ferme fermez ajoute ajoutez ajouter arrête arrêtez lance lancez déplace déplacez vire virez bloque
    bloquez débloque commande commandez achète paye payez donne donnez dis trouve trouvez cherche cherchez baisse monte
    allume allumez éteins éteignez programme programmez enregistre enregistrez rappelle reporte reportez imprime
    transfère transférez approuve approuvez refuse refusez prolonge prolongez""")
_SPANISH: Final = word_set("""
    envía envia envíe enviar envíame reinicia reinicie reserva reserve resérvame cancela cancele crea cree créame
    muestra muéstrame mostrar borra borre elimina elimine cambia cambie pon ponga ponme abre abra cierra cierre agrega
    añade añada detén inicia inicie mueve mueva transfiere transfiera bloquea bloquee desbloquea pide compra paga
    pague da dame dime busca busque encuentra sube suba baja baje enciende encienda apaga apague programa registra
    imprime aprueba apruebe rechaza haz haga manda mande mándame anula anule prolonga""")
_ITALIAN: Final = word_set("""
    invia invii inviami riavvia riavvii prenota prenoti prenotami annulla annulli crea crei mostra mostri mostrami
    elimina elimini cancella cancelli cambia cambi metti metta apri apra chiudi chiuda aggiungi aggiunga ferma avvia
    avvii sposta sposti trasferisci blocca blocchi sblocca ordina compra paga paghi dammi dimmi cerca trova alza abbassa
    accendi accenda spegni spenga programma registra stampa approva rifiuta manda mandi mandami fai prolunga""")

ENGLISH: Final = frozenset(REQUESTING.replace("[sz]", "z").split("|")) | {"summarise"} | _MORE
ALONE: Final = frozenset(REQUESTING.replace("[sz]", "z").split("|"))
"""Those that begin a request by themselves too: "and restart"."""
IMPERATIVES: Final = ENGLISH | _GERMAN | _FRENCH | _SPANISH | _ITALIAN
"""Verbs in the form in which they ask for something."""
READING: Final = _READING
LOOKING: Final = READING - word_set("give get tell print report read count run do does are is")
"""Those that say by themselves that something is looked up; one may also *give* water, or print a label."""
